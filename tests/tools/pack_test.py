"""Packing loses nothing that estimates need, and the generated source says the same bytes."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "lib"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import checks
from catalog import pack, tables

pack_assets = checks.load_tool("pack_assets")


def text_at(column, row):
    return column["of"][column["at"][row]] if isinstance(column, dict) else column[row]


class Packing(unittest.TestCase):
    def test_numbers_take_their_shortest_text_and_stay_the_same(self):
        self.assertEqual(pack.number(989400000000000), "9894e11")
        self.assertEqual(pack.number(None), "null")
        for value in (0, 1, 1000, 85018877624, 31507692307.7, 0.85, 120000, 9e20):
            self.assertEqual(float(pack.number(value)), value)

    def test_few_different_texts_become_a_dictionary(self):
        column = json.loads(pack.texts(["roce", "tcp", "tcp", "roce"] * 50))
        self.assertEqual([text_at(column, row) for row in range(4)], ["roce", "tcp", "tcp", "roce"])
        self.assertIsInstance(json.loads(pack.texts(["a", "b"])), list)

    def test_every_gpu_figure_comes_through(self):
        entries = json.loads((tables.ASSETS / "gpus.json").read_text(encoding="utf-8"))["gpus"]
        columns = json.loads(pack_assets.packed("gpus"))["columns"]
        for row, entry in enumerate(entries):
            self.assertEqual(text_at(columns["id"], row), entry["id"])
            for at, key in enumerate(pack.GPU_FIGURES):
                self.assertEqual(columns[key][row], entry[key]["value"] if key in entry else None, (entry["id"], key))
                letter = text_at(columns["kinds"], row)[at]
                self.assertEqual(letter, pack.KIND_LETTER[entry[key]["kind"]] if key in entry else "-")

    def test_every_price_comes_through(self):
        entries = json.loads((tables.ASSETS / "instances.json").read_text(encoding="utf-8"))["instances"]
        columns = json.loads(pack_assets.packed("instances"))["columns"]
        for row, entry in enumerate(entries):
            price = entry["price"] or {}
            self.assertEqual(columns["on_demand_per_hour"][row], price.get("on_demand_per_hour"), entry["id"])
            self.assertEqual(text_at(columns["price_date"], row), price.get("date", ""))

    def test_a_missing_asset_is_empty(self):
        self.assertEqual(pack_assets.packed("no-such-asset"), "")

    def test_literals_say_the_same_bytes(self):
        text = 'quote " backslash \\ line\n中文' * 2000
        chunks = re.findall(r'^"(.*)"$', pack_assets.literal(text), re.MULTILINE)
        self.assertGreater(len(chunks), 1)
        undone = re.sub(r'\\(.)', lambda found: {"n": "\n"}.get(found.group(1), found.group(1)), "".join(chunks))
        self.assertEqual(undone, text)

    def test_texts_of_sources_stay_out_on_request(self):
        with tempfile.TemporaryDirectory() as folder:
            tool, full, small = checks.ROOT / "tools" / "pack_assets", pathlib.Path(folder, "a.cpp"), pathlib.Path(folder, "b.cpp")
            subprocess.run([sys.executable, tool, "--out", full], check=True)
            subprocess.run([sys.executable, tool, "--out", small, "--without-sources"], check=True)
            self.assertIn('name == "sources"', full.read_text(encoding="utf-8"))
            self.assertNotIn('name == "sources"', small.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
