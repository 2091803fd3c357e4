"""The packed forms that travel inside the programs: columns instead of objects, source keys instead of texts.

A packed table is {"columns": {name: [value per row]}}; a column with few different texts is {"of": [texts], "at": [index per row]}.
"""
import json

KIND_LETTER = {"datasheet": "d", "measured": "m", "derived": "r", "assumed": "a"}

GPU_TEXTS = ("id", "name", "vendor", "architecture", "form_factor", "memory_type", "compute_capability", "status", "scale_up", "scale_up_technology",
             "sources", "card")
GPU_FIGURES = (
    "memory_advertised_bytes", "memory_usable_bytes", "memory_bandwidth_bytes_per_second",
    "fp64_dense_flops_per_second", "fp32_dense_flops_per_second", "tf32_dense_flops_per_second", "fp16_dense_flops_per_second",
    "bf16_dense_flops_per_second", "fp8_dense_flops_per_second", "fp6_dense_flops_per_second", "fp4_dense_flops_per_second",
    "int8_dense_ops_per_second", "int4_dense_ops_per_second", "bf16_measured_matmul_flops_per_second", "fp8_measured_matmul_flops_per_second",
    "scale_up_bytes_per_second_per_gpu_each_way", "scale_up_max_gpus", "pcie_bytes_per_second_each_way", "tdp_watts")
MACHINE_FIGURES = ("gpus", "vcpus", "host_memory_bytes", "scale_up_domain_gpus", "scale_up_bytes_per_second_per_gpu_each_way",
                   "pcie_bytes_per_second_each_way", "nics_per_node", "scale_out_bytes_per_second_per_node_each_way")
PRICE_FIGURES = ("on_demand_per_hour", "spot_per_hour", "reserved_per_hour", "lowest_region_per_hour", "highest_region_per_hour")
INSTANCE_TEXTS = ("provider", "type", "gpu", "gpu_confidence", "scale_up", "scale_out")


def number(value):
    """The shortest JSON text of a number: 989400000000000 is 9894e11."""
    if value is None:
        return "null"
    text = json.dumps(value)
    if "." in text or not text.endswith("000"):
        return text
    digits = text.rstrip("0")
    return f"{digits}e{len(text) - len(digits)}"


def numbers(values):
    return "[" + ",".join(number(value) for value in values) + "]"


def texts(values):
    """A column of texts, with a dictionary where that is shorter."""
    plain = compact(values)
    different = list(dict.fromkeys(values))
    coded = compact({"of": different, "at": [different.index(value) for value in values]})
    return coded if len(coded) < len(plain) else plain


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def table(columns):
    return "{" + ",".join(f"{compact(name)}:{text}" for name, text in columns.items()) + "}"


def value_of(entry, key):
    return entry[key]["value"] if key in entry else None


def kinds(entry, keys):
    """One letter per figure: its kind, "-" where there is none."""
    return "".join(KIND_LETTER[entry[key]["kind"]] if key in entry else "-" for key in keys)


def models(document):
    """Architectures alone: where each was read stays out of the programs."""
    left_out = ("source", "kind", "date", "note")
    return compact({"models": [{key: value for key, value in entry.items() if key not in left_out} for entry in document["models"]]})


def gpus(document, source_of_kind, dates):
    entries = document["gpus"]
    columns = {key: texts([entry.get(key, "") for entry in entries]) for key in GPU_TEXTS}
    columns["aliases"] = compact([entry["aliases"] for entry in entries])
    columns["unified_memory"] = compact([int(entry["unified_memory"]) for entry in entries])
    columns["serves_only"] = compact([int(entry["serves_only"]) for entry in entries])
    columns["year"] = numbers([entry["year"] for entry in entries])
    columns["share"] = numbers([entry.get("share", 1) for entry in entries])
    columns.update({key: numbers([value_of(entry, key) for entry in entries]) for key in GPU_FIGURES})
    columns["kinds"] = texts([kinds(entry, GPU_FIGURES) for entry in entries])
    used = {word for entry in entries for word in entry["sources"].split()}
    used |= {word for by_figure in source_of_kind.values() for source in by_figure.values() for word in source.split()}
    head = {"version": 1, "dates": {key: dates[key] for key in dates if key in used}, "source_of_kind": source_of_kind}
    return compact(head)[:-1] + f',"columns":{table(columns)}}}'


def machine_kinds(entry):
    assumed, machine = entry["machine"]["assumed"], entry["machine"]
    derived = ("scale_up_domain_gpus", "scale_up_bytes_per_second_per_gpu_each_way", "pcie_bytes_per_second_each_way")
    return "".join("-" if key not in machine else "a" if key in assumed else "r" if key in derived else "d" for key in MACHINE_FIGURES)


def instances(document, dates):
    entries = document["instances"]
    prices = [entry["price"] or {} for entry in entries]
    columns = {key: texts([entry[key] for entry in entries]) for key in INSTANCE_TEXTS}
    columns["rdma"] = compact([int(entry["rdma"]) for entry in entries])
    columns.update({key: numbers([entry["machine"].get(key) for entry in entries]) for key in MACHINE_FIGURES})
    columns.update({key: numbers([price.get(key) for price in prices]) for key in PRICE_FIGURES})
    columns.update({key: texts([price.get(key, "") for price in prices]) for key in ("currency", "region")})
    columns["price_date"] = texts([price.get("date", "") for price in prices])
    columns["price_source"] = texts([price.get("source", "") for price in prices])
    columns["machine_source"] = texts([entry["machine"]["source"] for entry in entries])
    columns["machine_kinds"] = texts([machine_kinds(entry) for entry in entries])
    columns["notes"] = texts([entry["notes"] for entry in entries])
    used = {word for entry in entries for word in (entry["machine"]["source"] + " " + (entry["price"] or {}).get("source", "")).split()}
    used |= {rate["source"] for rate in document["exchange_rates"]}
    head = {"version": 1, "dates": {key: dates[key] for key in dates if key in used}, "exchange_rates": document["exchange_rates"],
            "providers": document["providers"]}
    return compact(head)[:-1] + f',"columns":{table(columns)}}}'


def software(document, dates):
    """As it is, with the dates of the sources that it cites."""
    entries = document["software"]
    used = {word for entry in entries for text in [entry["source"], *[group["source"] for group in entry["formats"]]] for word in text.split()}
    return compact({"version": 1, "dates": {key: dates[key] for key in dates if key in used}, "software": entries})
