"""Bridges to other people's libraries."""
