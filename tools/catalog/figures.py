"""A figure is a value with its unit, kind, source and date; which source a kind of figure has is decided here."""
from . import tables

KINDS = ("datasheet", "measured", "derived", "assumed")

# Sources of figures that do not come from the row's own sources: by kind, then by figure ("*" is any).
SOURCE_OF_KIND = {
    "assumed": {"*": "recalled"},
    "measured": {"memory_usable_bytes": "driver-readings"},
    "derived": {"memory_usable_bytes": "memory-rules", "pcie_bytes_per_second_each_way": "pcie-rates"},
}


def dates():
    """Date of each source key: when it was published or last read."""
    return {row["key"]: row["date"] for row in tables.rows("sources")}


def source_of(key, kind, row_source):
    by_figure = SOURCE_OF_KIND.get(kind, {})
    return by_figure.get(key, by_figure.get("*", row_source))


def make(key, value, unit, kind, row_source, date_of):
    """The figure `key`; the date is that of its newest source."""
    source = source_of(key, kind, row_source)
    return {"value": tables.tidy(value), "unit": unit, "kind": kind, "source": source,
            "date": max(date_of[word] for word in source.split())}
