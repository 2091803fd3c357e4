"""Reads public price files into one shape: {type: Listing}. Two kinds: a SkyPilot-catalog CSV, and the price tables of karpenter providers
(Go source or JSON: region → type → price per hour)."""
import csv
import io
import json
import re
from dataclasses import dataclass, field


@dataclass
class Listing:
    """What a file says of one machine type; prices per hour by region."""
    accelerators: float | None = None
    memory_gib: float | None = None
    on_demand: dict = field(default_factory=dict)
    spot: dict = field(default_factory=dict)


def price(value):
    """A number, or None for what is empty or none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def keep(prices, region, value):
    """The cheapest price of a region: its zones differ."""
    if value is not None:
        prices[region] = min(value, prices.get(region, value))


def skypilot(text):
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        if not row.get("InstanceType") or not row.get("AcceleratorName"):
            continue  # rows without accelerator are of no use here
        listing = found.setdefault(row["InstanceType"], Listing(price(row.get("AcceleratorCount")), price(row.get("MemoryGiB"))))
        keep(listing.on_demand, row.get("Region") or "", price(row.get("Price")))
        keep(listing.spot, row.get("Region") or "", price(row.get("SpotPrice")))
    return found


def karpenter_go(text):
    found, region = {}, ""
    for line in text.splitlines():
        opened = re.match(r'\s*"([a-z0-9-]+)":\s*\{', line)
        region = opened.group(1) if opened else region
        for name, value in re.findall(r'"([A-Za-z][\w.-]*)":\s*([0-9.eE+-]+)', line):
            keep(found.setdefault(name, Listing()).on_demand, region, price(value))
    return found


def karpenter_json(text):
    found = {}
    for region, types in json.loads(text).items():
        for name, value in (types.items() if isinstance(types, dict) else ()):
            listing = found.setdefault(name, Listing())
            spoken = value if isinstance(value, dict) else {"on_demand": value}
            keep(listing.on_demand, region, price(spoken.get("on_demand", spoken.get("onDemand"))))
            keep(listing.spot, region, price(spoken.get("spot")))
    return found


def read(shape, text):
    if shape == "skypilot":
        return skypilot(text)
    return karpenter_json(text) if text.lstrip().startswith("{") else karpenter_go(text)
