"""What a row of the catalog must hold, beyond its JSON schema. Each rule yields sentences that name the row and the figure."""
import re

GIB_OVER_GB = 2 ** 30 / 1e9
NEARLY = 1.001          # rounding in data sheets
MOST_OVER_PEAK = 1.02   # a measured rate may pass a rounded data-sheet peak by this
PRICE_PER_GPU_HOUR_USD = (0.02, 40.0)
BYTES_PER_SECOND = {"memory_bandwidth_bytes_per_second": (2e10, 5e13), "pcie_bytes_per_second_each_way": (1e9, 2e11),
                    "scale_up_bytes_per_second_per_gpu_each_way": (1e10, 4e12)}
FLOPS_PER_BYTE = (8, 2000)  # dense 16-bit rate over memory bandwidth: outside of it a unit is wrong
FASTEST_NIC = 1e11          # bytes per second of one port, each way
RDMA_NETWORKS = {"efa", "infiniband", "roce"}


def plain(name):
    """A name as look-ups compare it: letters and digits in lower case."""
    return re.sub(r"[^a-z0-9\u0080-\uffff]", "", name.lower())


def value(entry, key):
    return entry[key]["value"] if key in entry else None


def figures(entry):
    return {key: member for key, member in entry.items() if isinstance(member, dict) and "value" in member}


def unresolved(keys, known):
    return [key for key in keys.split() if key not in known]


# GPUs

def gpu_names(gpus):
    """Ids are unique, and no two GPUs answer to one name."""
    owner = {}
    for gpu in gpus:
        names = {plain(name) for name in [gpu["id"], gpu["name"], *gpu["aliases"]]}
        for name in names:
            if owner.setdefault(name, gpu["id"]) != gpu["id"] or not name:
                yield f"{gpu['id']}: the name {name!r} belongs to {owner[name]} already"
    for identifier in {gpu["id"] for gpu in gpus if sum(other["id"] == gpu["id"] for other in gpus) > 1}:
        yield f"{identifier}: there twice"


def gpu_sources(gpu, sources):
    for key, figure in figures(gpu).items():
        for missing in unresolved(figure["source"], sources):
            yield f"{gpu['id']}: {key} cites {missing!r}, which is not in sources.json"
    for missing in unresolved(gpu["sources"], sources):
        yield f"{gpu['id']}: cites {missing!r}, which is not in sources.json"


def gpu_memory(gpu):
    usable, advertised = value(gpu, "memory_usable_bytes"), value(gpu, "memory_advertised_bytes")
    if usable > advertised * GIB_OVER_GB:
        yield f"{gpu['id']}: usable memory is more than the advertised size in GiB"
    if usable < advertised * 0.6:
        yield f"{gpu['id']}: usable memory is less than 60 % of the advertised size"


def gpu_rates(gpu):
    """Dense ≤ sparse, and measured ≤ dense."""
    for key, figure in figures(gpu).items():
        dense = value(gpu, key.replace("_sparse_", "_dense_").replace("_measured_matmul_", "_dense_"))
        if "_sparse_" in key and (dense is None or dense > figure["value"]):
            yield f"{gpu['id']}: {key} is below the dense rate"
        if "_measured_matmul_" in key and (dense is None or figure["value"] > dense * MOST_OVER_PEAK):
            yield f"{gpu['id']}: {key} is above the dense rate"
    rate, bandwidth = value(gpu, "bf16_dense_flops_per_second") or value(gpu, "fp16_dense_flops_per_second"), value(gpu, "memory_bandwidth_bytes_per_second")
    if rate and bandwidth and not FLOPS_PER_BYTE[0] <= rate / bandwidth <= FLOPS_PER_BYTE[1]:
        yield f"{gpu['id']}: {rate / bandwidth:.1f} dense flops per byte of bandwidth cannot be"


def gpu_links(gpu):
    each_way = value(gpu, "scale_up_bytes_per_second_per_gpu_each_way")
    both = value(gpu, "scale_up_bytes_per_second_per_gpu_bidirectional")
    if each_way and both and not both / NEARLY <= 2 * each_way <= both * NEARLY:
        yield f"{gpu['id']}: twice the bandwidth each way is not the bidirectional one"
    if gpu["scale_up"] in ("none", "pcie", "pcie_p2p") and each_way:
        yield f"{gpu['id']}: has a link bandwidth but no link"
    if gpu["scale_up"] not in ("none", "pcie", "pcie_p2p") and not each_way:
        yield f"{gpu['id']}: has a link without a bandwidth"
    for key, (low, high) in BYTES_PER_SECOND.items():
        if key in gpu and not low <= gpu[key]["value"] <= high:
            yield f"{gpu['id']}: {key} is outside {low:g} to {high:g}"


def gpu_share(gpu, by_id):
    if "card" in gpu and gpu["card"] not in by_id:
        yield f"{gpu['id']}: is a share of {gpu['card']!r}, which is not in the catalog"


# Instances

def offer_references(offer, gpus, providers, currencies, sources):
    if offer["gpu"] not in gpus:
        yield f"{offer['id']}: GPU {offer['gpu']!r} is not in the catalog"
    if offer["provider"] not in providers or not offer["id"].startswith(offer["provider"] + ":"):
        yield f"{offer['id']}: provider {offer['provider']!r} is not known"
    cited = offer["machine"]["source"] + " " + (offer["price"] or {}).get("source", "")
    for missing in unresolved(cited, sources):
        yield f"{offer['id']}: cites {missing!r}, which is not in sources.json"
    if offer["price"] and offer["price"]["currency"] not in currencies:
        yield f"{offer['id']}: {offer['price']['currency']} has no exchange rate"
    if offer["price"] and not offer["price"]["source"]:
        yield f"{offer['id']}: has a price without a source"


def offer_links(offer, gpu):
    machine = offer["machine"]
    each_way = machine.get("scale_up_bytes_per_second_per_gpu_each_way", 0)
    if machine["gpus"] > 1 and (offer["scale_up"] == "none" or not each_way) and not gpu["unified_memory"]:
        yield f"{offer['id']}: several GPUs without a link between them"
    own_link = value(gpu, "scale_up_bytes_per_second_per_gpu_each_way") or 0
    if offer["scale_up"] not in ("none", "pcie", "pcie_p2p") and each_way > own_link * NEARLY:
        yield f"{offer['id']}: scale-up bandwidth is above the GPU's own"
    if machine.get("pcie_bytes_per_second_each_way", 0) > (value(gpu, "pcie_bytes_per_second_each_way") or 0) * NEARLY:
        yield f"{offer['id']}: host link is faster than the GPU's"
    if offer["scale_up"] == "bridge" and machine["scale_up_domain_gpus"] > 4:
        yield f"{offer['id']}: bridges join two or four GPUs"
    if offer["scale_up"] != "bridge" and machine["scale_up_domain_gpus"] < machine["gpus"] and offer["scale_up"] != "none":
        yield f"{offer['id']}: the scale-up domain is smaller than the machine"


def offer_network(offer):
    machine = offer["machine"]
    per_node = machine.get("scale_out_bytes_per_second_per_node_each_way", 0)
    if offer["rdma"] != (offer["scale_out"] in RDMA_NETWORKS):
        yield f"{offer['id']}: rdma is {offer['rdma']} on {offer['scale_out']}"
    if per_node and not machine["nics_per_node"]:
        yield f"{offer['id']}: network bandwidth without a network card"
    if per_node > FASTEST_NIC * max(machine["nics_per_node"], 1) * NEARLY:
        yield f"{offer['id']}: {machine['nics_per_node']} network cards cannot carry {per_node:g} bytes per second"


def offer_price(offer, gpu, rates):
    price = offer["price"]
    if not price:
        return
    on_demand, spot = price.get("on_demand_per_hour"), price.get("spot_per_hour")
    if on_demand and spot and spot > on_demand * NEARLY:
        yield f"{offer['id']}: spot costs more than on demand"
    low, high = price["lowest_region_per_hour"], price["highest_region_per_hour"]
    if on_demand and low and high and not low / NEARLY <= on_demand <= high * NEARLY:
        yield f"{offer['id']}: the price is outside the range over regions"
    usd = (on_demand or spot) * rates.get(price["currency"], 0) / (offer["machine"]["gpus"] * gpu.get("share", 1))
    if not PRICE_PER_GPU_HOUR_USD[0] <= usd <= PRICE_PER_GPU_HOUR_USD[1]:
        yield f"{offer['id']}: {usd:.3f} USD per GPU-hour is outside what any GPU costs"


def offer_memory(row, gpu_rows):
    """Count × memory: what the provider says per GPU is the catalog's size of that GPU."""
    said, known = row["gpu_memory_gb"], gpu_rows[row["gpu"]]["memory_gb"] if row["gpu"] in gpu_rows else None
    if said and known and float(said) != float(known) and not row["gpu_confidence"].startswith("memory disputed"):
        yield f"{row['provider']}:{row['type']}: says {said} GB per GPU, the catalog {known}"


# Software

def version_key(text):
    return [int(part) for part in re.findall(r"\d+", text)]


def software_rules(entry, vendors, sources):
    if sorted(entry["versions"], key=version_key) != entry["versions"]:
        yield f"{entry['id']}: versions must be listed oldest first"
    for vendor in entry["vendors"]:
        if vendor not in vendors:
            yield f"{entry['id']}: no GPU of the catalog is made by {vendor!r}"
    for missing in unresolved(entry["source"], sources):
        yield f"{entry['id']}: cites {missing!r}, which is not in sources.json"
    for group in entry["formats"]:
        for missing in set(group["formats"]) - set(entry["weight_formats"]):
            yield f"{entry['id']}: says where {missing} runs but does not load it"
        for missing in set(group["vendors"]) - set(entry["vendors"]):
            yield f"{entry['id']}: runs {group['formats'][0]} on {missing}, but does not run there"
        for missing in unresolved(group["source"], sources):
            yield f"{entry['id']}: cites {missing!r}, which is not in sources.json"
        if group["computes_from"] and group["computes_from"] < group["min_compute_capability"]:
            yield f"{entry['id']}: computes in {group['formats'][0]} on GPUs that cannot load it"
    told = [word for group in entry["formats"] for word in group["formats"]]
    for twice in {word for word in told if told.count(word) > 1}:
        yield f"{entry['id']}: says twice where {twice} runs"
    if ("inference" in entry["tasks"]) != entry["serves"] or bool(set(entry["tasks"]) - {"inference"}) != entry["trains"]:
        yield f"{entry['id']}: tasks contradict serves or trains"
    if entry["serves"] != bool(entry["kv_formats"]) or entry["trains"] != bool(entry["optimizers"]):
        yield f"{entry['id']}: an engine needs cache formats, a framework optimizers"
