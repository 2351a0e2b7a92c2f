"""A slow, plain simulator of the StarCraft-inspired domain, written from docs/starcraft-rules.md alone."""
