"""New prices for offers of one provider: what changes, and which families of offers are refused because they cannot be right."""
from collections import defaultdict
from dataclasses import dataclass, field
from statistics import median

GIB_PER_GB = 1e9 / 2**30
SLIP = 0.004            # how near a ratio of memories must be to GB/GiB to be that slip
MOST_JUMP = 10.0        # no price moves tenfold between two readings
LEAST_SPOT = 0.03       # of on demand: below it a market's floor of bids, no price
LEAST_PER_GPU = 0.01    # USD per GPU-hour: nobody sells below it
PART_OF_GPU = 0.4       # of the earlier price, with …
CPU_PER_VCPU = 0.08     # … no more than this per vCPU: the accelerator's part is missing
NOTICED_MOVE = 0.005


@dataclass
class Report:
    moved: list = field(default_factory=list)
    added: list = field(default_factory=list)
    removed: list = field(default_factory=list)
    refused: dict = field(default_factory=dict)
    rows: list = field(default_factory=list)

    def lines(self):
        for kind, entries in (("price", self.moved), ("added", self.added), ("removed", self.removed)):
            yield from (f"{kind:8} {entry}" for entry in entries)
        for family, reasons in self.refused.items():
            yield from (f"refused  {family}: {reason}" for reason in reasons)
        yield f"{len(self.moved)} prices moved, {len(self.added)} types not in our table, {len(self.removed)} gone, {len(self.refused)} families refused"


def family(row):
    return f"{row['provider']} {row['gpu']}"


def region_of(row, listing):
    """The row's own region where the file has it, else the cheapest."""
    if row["region"] in listing.on_demand:
        return row["region"]
    return min(listing.on_demand, key=lambda region: (listing.on_demand[region], region), default=None)


def wrong_memory(row, listing):
    if listing.memory_gib is None:
        return None
    if listing.memory_gib <= 0:
        return "no memory"
    if not row["memory_gib"]:
        return None
    ratio = listing.memory_gib / float(row["memory_gib"])
    if min(abs(ratio - GIB_PER_GB), abs(ratio - 1 / GIB_PER_GB)) < SLIP:
        return f"memory {listing.memory_gib:g} GiB against {row['memory_gib']}: GB taken for GiB"
    return f"memory {listing.memory_gib:g} GiB against {row['memory_gib']}" if not 0.75 < ratio < 1.34 else None


def wrong_price(row, listing, new, spot):
    before, gpus = float(row["on_demand"] or 0), float(row["gpus"])
    if new <= 0 or new / gpus < LEAST_PER_GPU:
        return f"{new:g} per hour for {gpus:g} GPUs is no price"
    if spot is not None and (spot < LEAST_SPOT * new or spot / gpus < LEAST_PER_GPU):
        return f"spot {spot:g} beside {new:g} is a floor of bids"
    if before and not 1 / MOST_JUMP < new / before < MOST_JUMP:
        return f"{before:g} → {new:g} is a jump by {new / before:.3g}"
    if before and row["vcpus"] and new < PART_OF_GPU * before and new / float(row["vcpus"]) < CPU_PER_VCPU:
        return f"{before:g} → {new:g} is what its CPUs cost: the accelerator's part is missing"
    return None


def wrong(row, listing, new, spot):
    """Why a listing cannot be right, or None."""
    if listing.accelerators is not None and listing.accelerators != float(row["gpus"]):
        return f"{listing.accelerators:g} accelerators against {row['gpus']}"
    return wrong_memory(row, listing) or wrong_price(row, listing, new, spot)


def uneven(family_rows, prices):
    """Types of a family whose price per GPU is a tenth of the family's middle: one slip among right ones."""
    per_gpu = {row["type"]: prices[row["type"]][0] / float(row["gpus"]) for row in family_rows}
    middle = median(per_gpu.values())
    return [f"{name}: {value:.3g} per GPU-hour beside {middle:.3g} of its family" for name, value in per_gpu.items() if value * MOST_JUMP < middle]


def proposed(rows, provider, listings):
    """{type: (on demand, spot, region)} for the rows that the file prices."""
    out = {}
    for row in rows:
        listing = listings.get(row["type"])
        region = region_of(row, listing) if row["provider"] == provider and row["gpu"] and listing else None
        if region is not None:
            out[row["type"]] = (listing.on_demand[region], listing.spot.get(region), region)
    return out


def refusals(rows, provider, listings, prices):
    families = defaultdict(list)
    for row in rows:
        if row["provider"] == provider and row["type"] in prices:
            families[family(row)].append(row)
    found = {}
    for name, members in families.items():
        reasons = [f"{row['type']}: {reason}" for row in members if (reason := wrong(row, listings[row["type"]], *prices[row["type"]][:2]))]
        if reasons := reasons + ([] if reasons else uneven(members, prices)):
            found[name] = reasons
    return found


def rewritten(row, price, date, source):
    on_demand, spot, region = price
    new = dict(row, on_demand=f"{on_demand:g}" if on_demand < 100 else f"{on_demand:.6g}", region=region, price_date=date, price_source=source)
    if spot is not None:
        new["spot"] = f"{spot:.6g}"
    if "price_date_in_source" in row:
        new["price_date_in_source"] = date
    if region != row["region"]:
        new.update(region_min="", region_max="")
    return new


def refresh(rows, provider, listings, date, source):
    """The rows with new prices, and what changed. A refused family keeps its old prices with their old dates."""
    report = Report()
    prices = proposed(rows, provider, listings)
    report.refused = refusals(rows, provider, listings, prices)
    known = {row["type"] for row in rows if row["provider"] == provider}
    report.added = [f"{provider}:{name}" for name, listing in sorted(listings.items()) if name not in known and listing.accelerators]
    for row in rows:
        if row["provider"] == provider and row["price_source"] == source and row["type"] not in listings:
            report.removed.append(f"{provider}:{row['type']} keeps its price of {row['price_date'] or 'no date'}")
        if row["provider"] != provider or row["type"] not in prices or family(row) in report.refused or row["price_date"] > date:
            report.rows.append(row)
            continue
        new, before = prices[row["type"]][0], float(row["on_demand"] or 0)
        if not before or abs(new / before - 1) > NOTICED_MOVE:
            report.moved.append(f"{provider}:{row['type']} {row['on_demand'] or 'none'} → {new:g} ({prices[row['type']][2]})")
        report.rows.append(rewritten(row, prices[row["type"]], date, source))
    return report
