"""A slow, plain simulator of the Minecraft-inspired domain, written from docs/minecraft-rules.md alone."""
