"""Memory that a process can use, from what drivers print [M-usable-memory].

The board total is what the driver reports (nvidia-smi); the process total is what cudaMemGetInfo or torch reports, less by what the
driver keeps for itself. Fitting needs the process total. Where nobody read it, it is the board total less the driver's share, a line
fitted on the cards where both were read; where nobody read the board total, it is the size in GiB times a fraction by memory kind.
"""
from . import tables

GIB = 2 ** 30


def weighted_median(readings):
    """Lower median of (value, weight) pairs."""
    readings = sorted(readings)
    half, seen = sum(weight for _, weight in readings) / 2, 0
    for value, weight in readings:
        seen += weight
        if seen >= half:
            return value
    raise ValueError("no readings")


def readings_by_gpu():
    """{gpu: {"board_total" | "process_total": GiB}}; readings marked as not the default state are left out."""
    collected = {}
    for row in tables.rows("usable_memory"):
        if row["not_default"]:
            continue
        pairs = collected.setdefault(row["gpu"], {}).setdefault(row["reading"], [])
        pairs.append((float(row["gib"]), int(row["readings"])))
    return {gpu: {kind: weighted_median(pairs) for kind, pairs in kinds.items()} for gpu, kinds in collected.items()}


def driver_share(readings):
    """(constant GiB, slope) of the least-squares line of board total minus process total over the board total."""
    pairs = [(kinds["board_total"], kinds["board_total"] - kinds["process_total"])
             for kinds in readings.values() if len(kinds) == 2]
    mean_x = sum(x for x, _ in pairs) / len(pairs)
    mean_y = sum(y for _, y in pairs) / len(pairs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in pairs) / sum((x - mean_x) ** 2 for x, _ in pairs)
    return mean_y - slope * mean_x, slope


class UsableMemory:
    """Answers (bytes, kind) for a row of gpus.csv."""

    def __init__(self):
        self.readings = readings_by_gpu()
        self.constant, self.slope = driver_share(self.readings)
        self.fractions = {row["memory_kind"]: float(row["board_fraction"]) for row in tables.rows("memory_rules")}

    def of(self, row):
        known = self.readings.get(row["id"], {})
        if "process_total" in known:
            return round(known["process_total"] * GIB), "measured"
        board = known.get("board_total", float(row["memory_gb"]) * self.fractions[row["memory_kind"]])
        if row["vendor"] == "NVIDIA" and row["memory_kind"] != "unified":
            board -= self.constant + self.slope * board
        return round(board * GIB), "derived"
