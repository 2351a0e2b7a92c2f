"""Letters at random are hardly ever an instruction: half of the texts of schemathesis are replaced by one."""

from typing import Any

import schemathesis

from cofca.viewer.request import LETTERS
from cofca.viewer.studio import EXAMPLES
from viewer.stub import MAPS


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """A request with a text that can be carried out, where the rest is as it should be."""
    if not isinstance(body, dict) or body.get("domain") not in EXAMPLES:
        return body
    better = {"instruction": EXAMPLES[body["domain"]], "map": MAPS[body["domain"]][1]}
    return {**body, **{name: text for name, text in better.items() if _is_replaced(body.get(name))}}


def _is_replaced(text: Any) -> bool:
    # What is too long is meant to be refused.
    return isinstance(text, str) and len(text) <= LETTERS and len(text) % 2 == 1
