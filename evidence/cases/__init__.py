"""A case: number, examiner, exhibits, and an append-only log whose entries are chained by their digests."""
