"""How agents meet a domain: for each its encoders, which turn observations into x and z, and its action heads."""
