"""tools/refresh-instances: new prices go in, impossible ones do not."""
import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from catalog import price_files, refresh  # noqa: E402

SKY = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region\n"
GO = 'var prices = map[string]map[string]float64{\n\t"us-east-1": {\n\t\t// g family\n\t\t"g.small": 1.1, "g.large": 8.4,\n\t},\n\t"eu-west-1": {"g.small": 1.3},\n}\n'


def row(name="g.small", **cells):
    plain = {"provider": "aws", "type": name, "gpu": "nvidia-l4", "gpus": "1", "vcpus": "8", "memory_gib": "32", "on_demand": "1", "spot": "", "region": "us-east-1",
             "region_min": "", "region_max": "", "price_date": "2026-01-01", "price_source": "s"}
    return plain | cells


def after(line, *rows, date="2026-11-01"):
    return refresh.refresh(list(rows) or [row()], "aws", price_files.read("skypilot", SKY + line), date, "s")


class Reading(unittest.TestCase):
    def test_a_karpenter_table_has_regions_and_types(self):
        found = price_files.read("karpenter", GO)
        self.assertEqual(found["g.small"].on_demand, {"us-east-1": 1.1, "eu-west-1": 1.3})
        self.assertEqual(found["g.large"].on_demand, {"us-east-1": 8.4})

    def test_a_karpenter_table_in_json_may_have_spot(self):
        found = price_files.read("karpenter", '{"r": {"a": 2, "b": {"onDemand": 3, "spot": 1}}}')
        self.assertEqual((found["a"].on_demand, found["b"].on_demand, found["b"].spot), ({"r": 2}, {"r": 3}, {"r": 1}))

    def test_of_a_regions_zones_the_cheapest_counts_and_machines_without_accelerator_do_not(self):
        found = price_files.read("skypilot", SKY + "g.small,L4,1,8,32,1.2,0.5,r\ng.small,L4,1,8,32,1.1,,r\nm.small,,,8,32,0.1,,r\n")
        self.assertEqual(list(found), ["g.small"])
        self.assertEqual((found["g.small"].on_demand, found["g.small"].spot), ({"r": 1.1}, {"r": 0.5}))


class Refresh(unittest.TestCase):
    def test_a_new_price_has_the_files_date_and_the_rows_own_region(self):
        done = after("g.small,L4,1,8,32,1.25,0.4,us-east-1\ng.small,L4,1,8,32,0.9,,zz\ng.new,L4,2,8,32,3,,zz\n", row(), row("g.gone"))
        self.assertEqual({k: done.rows[0][k] for k in ("on_demand", "spot", "region", "price_date")}, {"on_demand": "1.25", "spot": "0.4", "region": "us-east-1", "price_date": "2026-11-01"})
        self.assertEqual((len(done.moved), done.added, len(done.removed), done.refused), (1, ["aws:g.new"], 1, {}))
        self.assertEqual(done.rows[1], row("g.gone"))

    def test_an_older_file_changes_nothing(self):
        self.assertEqual(after("g.small,L4,1,8,32,1.25,,us-east-1\n", date="2025-01-01").rows, [row()])

    def test_what_cannot_be_right_keeps_the_familys_old_prices(self):
        for line, reason in (("1,8,0,1.1,", "no memory"), ("1,8,34.36,1.1,", "GB taken for GiB"), ("1,8,64,1.1,", "memory 64"), ("1,8,32,11,", "jump"), ("1,8,32,0.3,", "accelerator's part is missing"),
                             ("1,8,32,1.1,0.01", "floor of bids"), ("1,8,32,0,", "no price"), ("2,8,32,1.1,", "accelerators against")):
            with self.subTest(reason):
                done = after(f"g.small,L4,{line},us-east-1\ng.big,L4,1,8,32,1.2,,us-east-1\n", row(), row("g.big"))
                self.assertEqual(done.rows, [row(), row("g.big")])
                self.assertIn(reason, done.refused["aws nvidia-l4"][0])


class Command(unittest.TestCase):
    def run_on(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            table, file = pathlib.Path(folder) / "t.csv", pathlib.Path(folder) / "p.csv"
            with open(table, "w", newline="", encoding="utf-8") as out:
                writer = csv.DictWriter(out, list(row()), lineterminator="\n")
                writer.writeheader()
                writer.writerow(row())
            file.write_text(SKY + "g.small,L4,1,8,32,1.25,,us-east-1\n", encoding="utf-8")
            ran = subprocess.run([ROOT / "tools/refresh-instances", "aws", file, "--shape", "skypilot", "--date", "2026-11-01", "--table", table, *options], capture_output=True, text=True)
            return ran.returncode, ran.stdout + ran.stderr, table.read_text(encoding="utf-8")

    def test_only_write_writes(self):
        code, said, table = self.run_on("--source", "karpenter-aws-prices")
        self.assertEqual((code, "1 → 1.25" in said, "1.25" in table), (0, True, False))
        self.assertIn("1.25", self.run_on("--source", "karpenter-aws-prices", "--write")[2])

    def test_a_share_alike_table_is_for_checking_only(self):
        code, said, table = self.run_on("--source", "mle-network", "--write")
        self.assertEqual((code, "for checking only" in said, "1.25" in table), (1, True, False))


if __name__ == "__main__":
    unittest.main()
