"""Pictures, animations and terminal text of a moment in an episode."""
