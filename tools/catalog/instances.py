"""instances.csv, interconnect.csv, providers.csv and exchange_rates.csv to assets/instances.json."""
from fractions import Fraction

from . import figures, gpus, nodes, tables

GIB = 2 ** 30
# instances.csv names fields that were written from memory; these figures rest on them.
RESTS_ON = {"vcpus": "vcpu", "host_memory_bytes": "ram_gib", "scale_out_bytes_per_second_per_node_each_way": "network_gbps nic_rate network",
            "gpus": "gpu_count"}


class Maker:
    def __init__(self):
        self.gpu_rows = {row["id"]: row for row in tables.rows("gpus")}
        self.shares = {(row["card"], Fraction(row["share"])): row["id"] for row in tables.rows("gpu_shares")}
        self.nodes, self.date_of = nodes.Nodes(), figures.dates()

    def gpu_of(self, offer):
        """(catalog id, whole GPUs): a fraction of a card is one GPU of its own kind."""
        count = float(offer["gpus"])
        if count >= 1:
            return offer["gpu"], int(count)
        part = Fraction(count).limit_denominator(12)
        return self.shares[(offer["gpu"], part)], 1

    def offer(self, row):
        gpu_row, node = self.gpu_rows[row["gpu"]], self.nodes.of(row)
        gpu, count = self.gpu_of(row)
        kind, each_way, domain = nodes.scale_up(row, node, gpu_row)
        network, rdma, per_node, nics = nodes.scale_out(row, node)
        pcie = nodes.pcie_each_way(row, gpu_row)
        if kind in ("pcie", "pcie_p2p"):
            each_way = pcie
        machine = {"gpus": count, "vcpus": tables.number(row["vcpus"]), "host_memory_bytes": tables.number(row["memory_gib"], GIB),
                   "scale_up_domain_gpus": domain, "scale_up_bytes_per_second_per_gpu_each_way": whole(each_way),
                   "pcie_bytes_per_second_each_way": whole(pcie), "nics_per_node": nics,
                   "scale_out_bytes_per_second_per_node_each_way": whole(per_node)}
        return {"id": f"{row['provider']}:{row['type']}", "provider": row["provider"], "type": row["type"], "gpu": gpu,
                "gpu_confidence": row["gpu_confidence"], "scale_up": kind, "scale_out": network, "rdma": rdma,
                "machine": {**{key: value for key, value in machine.items() if value is not None},
                            "assumed": assumed(row, machine, nodes.counts_nics(row, node)), "source": row["spec_source"], "date": self.newest(row["spec_source"])},
                "price": self.price(row), "notes": row["notes"]}

    def price(self, row):
        """None when nobody published a price."""
        if not row["on_demand"] and not row["spot"]:
            return None
        prices = {"on_demand_per_hour": tables.number(row["on_demand"]), "spot_per_hour": tables.number(row["spot"])}
        return {**{key: value for key, value in prices.items() if value is not None}, "currency": row["currency"], "region": row["region"],
                "lowest_region_per_hour": tables.number(row["region_min"]), "highest_region_per_hour": tables.number(row["region_max"]),
                "kind": "datasheet", "source": row["price_source"], "date": row["price_date"]}

    def reference(self, row):
        """The usual machine of a GPU: what "8 of these" means when no provider is named."""
        gpu_row = self.gpu_rows[row["gpu"]]
        offer = {"gpus": row["gpus_per_node"], "link": row["scale_up"], "network": row["network"], "network_gbps": row["gbps_per_node"],
                 "nics": row["nics"], "pcie_lanes": "", "type": ""}
        own = {**row, "scale_up_each_way_GBps": ""}  # one box serves several GPUs: each has its own link bandwidth
        kind, each_way, domain = nodes.scale_up(offer, own if ";" in row["shared_by"] else row, gpu_row)
        network, rdma, per_node, nics = nodes.scale_out(offer, row)
        pcie = nodes.pcie_each_way(offer, gpu_row)
        machine = {"gpus": int(row["gpus_per_node"]), "scale_up_domain_gpus": domain,
                   "scale_up_bytes_per_second_per_gpu_each_way": whole(each_way or (pcie if kind.startswith("pcie") else None)),
                   "pcie_bytes_per_second_each_way": whole(pcie), "nics_per_node": nics,
                   "scale_out_bytes_per_second_per_node_each_way": whole(per_node)}
        return {"id": f"reference:{row['types']}, {gpu_row['name']}", "provider": "reference", "type": f"{row['types']}, {gpu_row['name']}", "gpu": row["gpu"], "gpu_confidence": "exact",
                "scale_up": kind, "scale_out": network, "rdma": rdma,
                "machine": {**{key: value for key, value in machine.items() if value is not None},
                            "assumed": sorted(set(machine) - {"gpus"}) if row["sources"] == "recalled" else
                            ["nics_per_node", "scale_out_bytes_per_second_per_node_each_way"] if "NIC_layout" in row["recalled"] else [],
                            "source": row["sources"], "date": self.newest(row["sources"])},
                "price": None, "notes": row["notes"]}

    def newest(self, sources):
        return max(self.date_of[word] for word in sources.split())


def whole(value):
    return None if value is None else tables.tidy(value)


def assumed(row, machine, nics_counted):
    """Figures of the machine that were written from memory or follow from custom."""
    recalled = row["recalled"].split()
    if "ALL" in recalled or row["spec_source"] == "recalled":
        return [key for key, value in machine.items() if value is not None]
    named = [key for key, words in RESTS_ON.items() if machine.get(key) is not None and set(words.split()) & set(recalled)]
    return named if nics_counted else named + ["nics_per_node"]


def providers():
    rows = tables.rows("providers")
    return {row["key"]: {"name": row["name"], "name_zh": row["name_zh"], "class": row["provider_class"], "in_china": row["in_china"] == "yes"}
            for row in rows}


def document():
    """The whole of assets/instances.json."""
    maker = Maker()
    rates = [{"currency": row["currency"], "usd_per_unit": tables.tidy(1 / Fraction(row["units_per_usd"])), "date": row["date"], "source": row["source"]}
             for row in tables.rows("exchange_rates")]
    entries = [maker.offer(row) for row in tables.rows("instances")]
    entries += [maker.reference(row) for row in maker.nodes.reference()]
    return {"version": 1, "exchange_rates": rates, "providers": providers(), "instances": entries}
