"""A Ray cluster of two nodes on this machine, as a process of its own: Ray forks, which JAX does not survive.

Prints its address; kills the second node when it reads a line, and ends with its input."""

import sys

from ray.cluster_utils import Cluster

from paper.on_nodes import DOOMED

LIMITS = {"num_cpus": 1, "object_store_memory": 80 * 2**20}


def main(killed_at: str) -> None:
    cluster = Cluster(initialize_head=True, head_node_args={**LIMITS, "include_dashboard": False})
    try:
        doomed = cluster.add_node(**LIMITS, env_vars={DOOMED: killed_at})
        print(cluster.address, flush=True)
        if sys.stdin.readline():
            cluster.remove_node(doomed, allow_graceful=False)
            sys.stdin.readline()
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main(sys.argv[1])
