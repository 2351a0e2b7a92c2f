"""Score any function from text to text on an experiment: here a language model behind an OpenAI-style API.

Without --url it is the scripted oracle that plays, in the same words.
"""

import argparse
import json
import os
from collections.abc import Callable
from urllib.request import Request, urlopen

from cofca.interop.text import ORACLE, RANDOM, score


def chat(url: str, model: str) -> Callable[[str], str]:
    def answer(prompt: str) -> str:
        page = {"model": model, "messages": [{"role": "user", "content": prompt}]}
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('API_KEY', '')}"}
        with urlopen(Request(url, json.dumps(page).encode(), headers)) as reply:
            return json.load(reply)["choices"][0]["message"]["content"] or ""

    return answer


def tell(row: dict) -> None:
    success = f"{row['sampled']:.2f} ± {row['sampled_se']:.2f}"
    print(f"{row['id']}: success {success}, oracle {row['oracle']:.2f}, random {row['random']:.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="such as http://127.0.0.1:8080/v1/chat/completions; the key is in API_KEY")
    parser.add_argument("--model", default="", help="its name at that address")
    parser.add_argument("--random", action="store_true", help="random commands in place of the oracle")
    parser.add_argument("--experiment", default="minecraft-length")
    parser.add_argument("--bins", nargs="+", help="such as 1-10; by default all")
    parser.add_argument("--episodes", type=int, default=20, help="of each bin")
    args = parser.parse_args()
    player = chat(args.url, args.model) if args.url else RANDOM if args.random else ORACLE
    score(player, args.experiment, episodes=args.episodes, bins=args.bins, progress=tell)


if __name__ == "__main__":
    main()
