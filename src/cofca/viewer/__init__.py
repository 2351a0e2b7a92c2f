"""The local web page: type an instruction, watch an agent follow it, and see why its pointer moved."""
