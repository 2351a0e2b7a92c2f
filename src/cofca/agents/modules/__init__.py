"""The parts that agents are made of, each a pure function or a layer."""
