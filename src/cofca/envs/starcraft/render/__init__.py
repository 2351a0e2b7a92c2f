"""Pictures and text of a moment in an episode."""
