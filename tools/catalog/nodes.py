"""How the GPUs of a machine and the machines of a cluster are linked [M-nodes].

1. A node of interconnect.csv with this provider and type: its figures, where the offer has as many GPUs as the node.
2. Else the offer's own link kind, with the GPU's bandwidth; the domain is all GPUs of the machine, the bridged pair (or four) for a bridge.
3. The network: the offer's own figure first, the node's where the offer names none, 0 where nobody says.
"""
from . import gpus, tables

FULL = {"switched", "mesh", "all_to_all"}
RDMA = {"efa", "infiniband", "roce", "erdma"}
# A GPU whose own link is a bridge or a fabric still uses PCIe where the machine does not wire it.
CONSUMER = "consumer"
TPU_MULTI_HOST = ("hightpu-4t", "standard-4t")  # the TPU machine types that join a slice of several hosts


class Nodes:
    """interconnect.csv by (provider, type), and the usual machine of a GPU."""

    def __init__(self):
        self.rows = tables.rows("interconnect")
        self.by_type = {(row["provider"], name): row for row in self.rows if row["provider"] for name in row["types"].split(";")}

    def of(self, offer):
        node = self.by_type.get((offer["provider"], offer["type"]))
        return node if node and node["gpus_per_node"] == offer["gpus"] else None

    def reference(self):
        """The usual machines, sold by nobody in particular: one row per GPU that they are built around."""
        return [{**row, "gpu": gpu, "shared_by": row["gpu"]} for row in self.rows if not row["provider"] for gpu in row["gpu"].split(";")]


def scale_up(offer, node, gpu_row):
    """(kind, bytes per second per GPU each way, domain in GPUs) of the machine's inner fabric."""
    count = max(1, int(float(offer["gpus"])))
    kind = node["scale_up"] if node else offer["link"]
    if offer["gpus"] != str(count) or (count == 1 and not (node and int(node["scale_up_domain_gpus"]) > 1)):
        kind = "none" if not node else kind
    if kind in ("", "pcie"):
        return pcie_kind(gpu_row), None, count
    if kind == "none":
        return "none", None, 1
    each_way = (node or {}).get("scale_up_each_way_GBps") or gpu_row["scale_up_each_way_GBps"]
    return kind, tables.number(each_way, 1e9), domain_of(kind, offer, node, gpu_row, count)


def domain_of(kind, offer, node, gpu_row, count):
    if kind == "bridge":
        return min(count, int(gpu_row["scale_up_max_gpus"]))
    return int(node["scale_up_domain_gpus"]) if node else rack_domain(offer, gpu_row, count)


def rack_domain(offer, gpu_row, count):
    """GPUs in the domain of a machine that no node row describes: racks and TPU slices reach beyond one machine."""
    beyond = offer["network"] == "ici" and offer["type"].endswith(TPU_MULTI_HOST) or gpu_row["scale_up_max_gpus"] == "72"
    return int(gpu_row["scale_up_max_gpus"]) if beyond and count > 1 else count


def pcie_kind(gpu_row):
    """GeForce drivers refuse peer access over PCIe; data-centre and professional cards have it."""
    return "pcie" if CONSUMER in gpu_row["form_factor"] or gpu_row["vendor"] not in ("NVIDIA", "AMD") else "pcie_p2p"


def pcie_each_way(offer, gpu_row):
    """Raw bytes per second each way of the host link as this machine wires it."""
    if not gpu_row["pcie_gen"] or not gpu_row["pcie_lanes"]:
        return None
    return gpus.PCIE_LANE[gpu_row["pcie_gen"]] * int(offer["pcie_lanes"] or gpu_row["pcie_lanes"])


def scale_out(offer, node):
    """(kind, RDMA?, bytes per second per node each way or None, NICs) of the network between machines."""
    kind = offer["network"] or (node or {}).get("network", "") or "none"
    if kind == "ici":
        kind = "tcp"  # beyond the slice, which is the scale-up domain, TPU machines meet over the data-centre network
    gbps = offer["network_gbps"] or (node or {}).get("gbps_per_node", "")
    nics = offer["nics"] or (node or {}).get("nics", "") or usual_nics(kind, gbps, offer["gpus"])
    return "roce" if kind == "erdma" else kind, kind in RDMA, bits(gbps), int(nics)


def usual_nics(kind, gbps, gpus):
    """Network cards where nobody counts them: one per GPU on a cluster machine with 100 Gb/s or more for each, else one."""
    per_gpu = float(gbps or 0) / max(1.0, float(gpus))
    return int(float(gpus)) if kind in RDMA and per_gpu >= 100 else 1 if gbps else 0


def counts_nics(offer, node):
    return bool(offer["nics"] or (node or {}).get("nics", ""))


def bits(gbps):
    return tables.number(gbps, 125e6)
