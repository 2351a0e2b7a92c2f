"""The ids by which Gymnasium finds the environments. Nothing else is imported before one is made."""

IDS = {"cofca/Minecraft-v0": "minecraft", "cofca/StarCraft-v0": "starcraft"}
"""With the domain of each."""


def register() -> None:
    """Register the ids with Gymnasium; registering again changes nothing."""
    # Not `import gymnasium`: somebody may be in the middle of importing that.
    from gymnasium.envs import registration

    for id_, name in IDS.items():
        if id_ not in registration.registry:
            registration.register(
                id_,
                entry_point="cofca.interop.gymnasium:CofcaEnv",
                vector_entry_point="cofca.interop.gymnasium:CofcaVectorEnv",
                kwargs={"domain_name": name},
            )
