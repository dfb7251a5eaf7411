"""What the asset browser offers: people, vehicles and obstacles. Files of scenarios and models are in `scenario`."""
