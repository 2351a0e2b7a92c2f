"""Instructions as text and symbols, and a plain interpreter of them."""
