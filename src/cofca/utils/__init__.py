"""What every room uses: randomness, loops, files, text and checks."""
