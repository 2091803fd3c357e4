"""Which coefficients a row of tests/truth/collectives.csv tells: the link or network that bounds it."""

NVLINK = {"A100": "nvlink3", "V100": "nvlink3", "H": "nvlink4", "B": "nvlink5", "G": "nvlink5"}


def network(row):
    """The family of a row's network, '' when it stays inside one domain."""
    text = row["network"] or ""
    if int(row["nodes"]) == 1 or "NVL72 domain" in text:
        return ""
    if (row["instance"] or "").startswith("aws") or (not row["instance"] and row["gpu"] == "nvidia-h100-sxm-80gb"):
        return "efa"  # the catalog's usual node of that GPU
    return "infiniband" if row["instance"] else "roce"


def link(row):
    gpu = row["gpu"].replace("nvidia-", "").upper()
    if row["gpu"].startswith("intel"):
        return "pcie_oneccl"
    if row["gpu"].startswith("amd"):
        return "direct"
    if "L40" in gpu:
        return "pcie_host"
    if "RTXPRO" in gpu:
        return "pcie_peer"
    if "PCIE" in gpu:
        return "bridge" if int(row["ranks"]) <= 2 else "pcie_host"
    return next(v for k, v in NVLINK.items() if gpu.startswith(k))


def group(row):
    if network(row):
        return "net." + network(row)
    if row["engine"]:
        return link(row) + ".engine"
    return link(row) + "." + {"all_gather": "gather_scatter", "reduce_scatter": "gather_scatter"}.get(row["kind"], row["kind"])


def weighted_quantile(pairs, share):
    """Smallest value below which `share` of the weight lies."""
    pairs = sorted(pairs)
    total, seen = sum(w for _, w in pairs), 0.0
    for value, weight in pairs:
        seen += weight
        if seen >= share * total:
            return value
    return pairs[-1][0]
