"""The same functions as in `modules` and `encoders`, faster."""
