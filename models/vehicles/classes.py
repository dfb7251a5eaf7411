"""Masses of the classes of vehicles."""

MASSES = {
    "hatchback": 1300.0,
    "saloon": 1450.0,
    "estate": 1550.0,
    "suv": 1700.0,
    "van": 1950.0,
    "pickup": 2050.0,
    "truck": 2900.0,
    "bus": 11500.0,
}
"""kg: unladen, typical of each class; from memory, unverified."""
