"""What the pictures and the terminal text of all domains share."""
