from ._cli import cli as parse  # noqa
from .extras._serialization import from_yaml, to_yaml  # noqa
