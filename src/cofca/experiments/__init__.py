"""The five experiments as data, and what is done with them."""
