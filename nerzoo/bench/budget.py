"""What of the epochs and seeds that were asked for there is time for."""

from typing import Dict, List, Mapping, NamedTuple


class Cost(NamedTuple):
    """What a run of a system takes, in seconds: an epoch, and all that is not training."""

    epoch: float
    rest: float

    def of(self, epochs: int) -> float:
        """Returns the seconds of a run of so many epochs."""
        return self.rest + epochs * self.epoch


class Share(NamedTuple):
    """What a system gets: epochs of each run, and seeds."""

    epochs: int
    seeds: int


def shares(costs: Mapping[str, Cost], full: Mapping[str, Share], num_splits: int, seconds: float) -> Dict[str, Share]:
    """
    Divides time among systems. Where all that was asked for takes longer, there are first fewer seeds for all, down to
    one, since what is half trained says nothing; then fewer epochs: all systems get the same time, and what one does
    not need goes to the others. Each is trained one epoch at least.

    # Parameters

    costs : `Mapping[str, Cost]`
        Of each system.
    full : `Mapping[str, Share]`
        What was asked for.
    num_splits : `int`
        How many runs there are for a seed.
    seconds : `float`
        Those of all processes together.
    """
    found = dict(full)

    def needed(name: str) -> float:
        return num_splits * found[name].seeds * costs[name].of(found[name].epochs)

    while sum(map(needed, found)) > seconds and any(share.seeds > 1 for share in found.values()):
        most = max(share.seeds for share in found.values())
        found = {name: share._replace(seeds=min(share.seeds, most - 1)) for name, share in found.items()}
    rest: List[str] = sorted(found, key=needed)
    for place, name in enumerate(rest):
        of_each = seconds / (len(rest) - place)
        if needed(name) > of_each:
            affordable = int((of_each / num_splits - costs[name].rest) / costs[name].epoch)
            found[name] = found[name]._replace(epochs=max(1, min(affordable, found[name].epochs)))
        seconds -= needed(name)
    return found
