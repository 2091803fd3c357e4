"""Reading the tidy CSVs and writing JSON, always the same bytes for the same rows."""
import csv
import json
import pathlib
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parents[2]
CSV = ROOT / "assets" / "csv"
ASSETS = ROOT / "assets"


def rows(name):
    """All rows of assets/csv/<name>.csv as dictionaries."""
    with open(CSV / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(text, factor=1):
    """The number in a cell times `factor`, exactly; None when the cell is empty."""
    return None if text == "" else tidy(Fraction(text) * Fraction(factor))


def tidy(value):
    """An int where the value is whole, else twelve significant digits: conversions leave no dust behind."""
    return int(value) if value == int(value) else float(f"{float(value):.12g}")


def words(text):
    return text.split()


def dump(document, list_key):
    """JSON with one line per figure-free value and one line per figure, entries of `list_key` separated by line breaks."""
    head = {key: value for key, value in document.items() if key != list_key}
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    entries = [entry(value) for value in document[list_key]]
    return "{\n" + "\n".join(lines) + f'\n  "{list_key}": [\n' + ",\n".join(entries) + "\n  ]\n}\n"


def entry(value):
    """One catalog entry: small members on one line, each group of figures on a line of its own."""
    plain = {key: member for key, member in value.items() if not is_figure(member)}
    lines = [json.dumps(plain, ensure_ascii=False)[1:-1]]
    lines += [f"{json.dumps(key)}: {json.dumps(member, ensure_ascii=False)}" for key, member in value.items() if is_figure(member)]
    return "    {" + ",\n     ".join(lines) + "}"


def is_figure(member):
    return isinstance(member, dict) and "value" in member
