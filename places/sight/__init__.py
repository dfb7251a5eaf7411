"""What a witness sees: lines of sight to body parts, the share that is visible over time, a table and a strip."""
