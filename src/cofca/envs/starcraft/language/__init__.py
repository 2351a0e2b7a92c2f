"""The text language: instructions as text and as symbols."""
