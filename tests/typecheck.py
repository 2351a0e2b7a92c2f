"""The runtime type checker of the tests. An int will do where a float is asked for, as everywhere in Python."""

from beartype import BeartypeConf, beartype

checked = beartype(conf=BeartypeConf(is_pep484_tower=True))
