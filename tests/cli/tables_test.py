"""The tables make sense to an expert, in every format and for every task: rules that no table may break, whatever the prices of the day."""
import csv
import io
import json
import sys
import unittest

from command import NOW, Done

TASKS = ("inference", "lora", "qlora", "full-finetune", "pretraining")
TIERS = ["le7b", "7b_13b", "13b_70b", "gt70b"]


def tiers(scenario, *options):
    return Done("tiers", "-", "--now", NOW, *options, text=json.dumps(scenario))


def tables(scenario):
    return {t["id"]: t for t in tiers(scenario, "--format", "json").json()["tiers"]}


class Rules(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tables = {task: tables({"task": task}) for task in TASKS}
        cls.gpus = {g["id"]: g for g in Done("catalog", "gpus").json()["gpus"]}

    def rows(self):
        for task, by_tier in self.tables.items():
            for tier, table in by_tier.items():
                for row in table["rows"]:
                    yield task, tier, row

    def test_every_task_fills_four_tables(self):
        for task, by_tier in self.tables.items():
            self.assertEqual(list(by_tier), TIERS)
            for tier, table in by_tier.items():
                self.assertGreaterEqual(len(table["rows"]), 4, (task, tier))

    def test_each_row_says_all_that_a_person_needs(self):
        for task, tier, row in self.rows():
            for member in ("provider", "instance", "gpu", "technique", "layout", "link"):
                self.assertTrue(row[member], (task, tier, member))
            self.assertGreater(row["throughput"]["tokens_per_s"], 0)
            low, high = row["range"]["tokens_per_s"]
            self.assertTrue(low < row["throughput"]["tokens_per_s"] < high)
            self.assertTrue(row["cost"]["usd_per_hour"] is None or row["cost"]["usd_per_hour"] > 0)

    def test_nothing_recommended_uses_the_memory_to_be_kept_free(self):
        for task, tier, row in self.rows():
            self.assertLessEqual(row["memory"]["used_bytes"], 0.8 * row["memory"]["usable_bytes"] + 1, (task, tier, row["instance"]))

    def test_what_has_no_price_never_stands_above_what_has(self):
        for task, by_tier in self.tables.items():
            for tier, table in by_tier.items():
                priced = [row["cost"]["usd_per_hour"] is not None for row in table["rows"]]
                self.assertEqual(priced, sorted(priced, reverse=True), (task, tier))

    def test_rows_stand_in_the_order_of_cost(self):
        for task, by_tier in self.tables.items():
            for tier, table in by_tier.items():
                costs = [row["cost"]["usd_per_million_tokens"] for row in table["rows"] if row["cost"]["usd_per_million_tokens"] is not None]
                self.assertEqual(costs, sorted(costs), (task, tier))

    def test_a_table_shows_choices_and_not_sizes_of_one_offer(self):
        for task, by_tier in self.tables.items():
            for tier, table in by_tier.items():
                self.assertGreaterEqual(len({row["provider"] for row in table["rows"]}), min(3, len(table["rows"])), (task, tier))
                self.assertGreaterEqual(len({row["gpu"] for row in table["rows"]}), 2, (task, tier))

    def test_a_7b_model_is_not_sent_to_a_large_machine(self):
        table = self.tables["inference"]["le7b"]
        self.assertEqual(table["smallest_fit"]["gpus_per_node"] * table["smallest_fit"]["nodes"], 1)
        self.assertLessEqual(table["smallest_fit"]["memory"]["usable_bytes"], 25e9)
        self.assertTrue(all(row["gpus_per_node"] * row["nodes"] <= 2 for row in table["rows"]))

    def test_70b_in_16_bits_is_on_more_than_one_80_gb_card(self):
        for row in self.tables["inference"]["13b_70b"]["rows"]:
            total = row["memory"]["usable_bytes"] * row["gpus_per_node"] * row["nodes"]
            self.assertGreater(total, 141e9, row["instance"])

    def test_full_training_of_the_largest_goes_to_fast_fabrics(self):
        for task in ("full-finetune", "pretraining"):
            for row in self.tables[task]["gt70b"]["rows"]:
                self.assertGreaterEqual(row["gpus_per_node"] * row["nodes"], 8)
                kind = self.gpus[row["gpu"]]
                self.assertTrue("form_factor" not in kind or "PCIe" not in kind["form_factor"], row["instance"])

    def test_only_named_techniques_of_the_task_are_used(self):
        for task, tier, row in self.rows():
            weights = row["numerics"]["weights"]
            self.assertTrue(weights.startswith("nf4") if task == "qlora" else not weights.startswith("nf4"), (task, tier, weights))


class Formats(unittest.TestCase):
    def test_csv_and_markdown_hold_the_rows_of_the_table(self):
        scenario = {"task": "inference", "policy": {"regions": ["china"]}}
        rows = sum(len(t["rows"]) for t in tables(scenario).values())
        lines = list(csv.reader(io.StringIO(tiers(scenario, "--format", "csv").out)))
        self.assertEqual(len(lines), rows + 1)
        self.assertEqual({len(line) for line in lines}, {len(lines[0])})
        markdown = tiers(scenario, "--format", "markdown").out
        self.assertEqual(sum(line.startswith("|") for line in markdown.splitlines()), rows + 2 * len(TIERS))

    def test_no_scenario_at_all_is_serving(self):
        plain = Done("tiers", "--now", NOW)
        self.assertEqual((plain.code, plain.err), (0, ""))
        self.assertEqual(plain.out, tiers({"task": "inference"}).out)

    def test_currency_changes_the_amounts_and_not_the_order(self):
        dollars, yuan = (tables({"task": "inference", "policy": {"currency": c}}) for c in ("USD", "CNY"))
        for tier in TIERS:
            self.assertEqual([r["instance"] for r in dollars[tier]["rows"]], [r["instance"] for r in yuan[tier]["rows"]])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
