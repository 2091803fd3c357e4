"""Presets, sensitivity, an own catalog and budgets, as a person meets them on the command line."""
import json
import pathlib
import sys
import tempfile
import unittest

from command import NOW, QWEN, Done, serving


def planned(scenario, *options):
    return Done("plan", "-", "--now", NOW, *options, text=json.dumps(scenario)).json()


class Presets(unittest.TestCase):
    def test_each_is_a_scenario_that_its_operation_answers(self):
        presets = Done("presets").json()["presets"]
        self.assertGreaterEqual(len(presets), 6)
        for preset in presets:
            with self.subTest(preset["id"]):
                request = {"op": preset["op"], "now": NOW, "scenario": Done("presets", preset["id"]).json()}
                out = Done("call", text=json.dumps(request)).json()
                rows = out.get("options") or out.get("models") or [row for tier in out["tiers"] for row in tier["rows"]]
                self.assertTrue(rows)
                if preset["op"] == "fit":
                    self.assertTrue(rows[0]["fits"])

    def test_an_unknown_one_is_refused(self):
        done = Done("presets", "cource-lab")
        self.assertEqual(done.code, 2)
        self.assertIn("course-lab", done.err)


class Sensitivity(unittest.TestCase):
    SCENARIO = json.dumps(serving(hardware={"gpu": "nvidia-l4"}))

    def grid(self, *options):
        return Done("sensitivity", "-", "--now", NOW, *options, text=self.SCENARIO).json()

    def test_longer_and_more_never_fits_better(self):
        cells = {(c["context"], c["concurrency"]): c for c in self.grid("--contexts", "2048,32768", "--concurrencies", "1,64", "--nodes", "1")["grid"]["cells"]}
        self.assertTrue(cells[2048, 1]["fits"])
        self.assertFalse(cells[32768, 64]["fits"])
        self.assertEqual(cells[32768, 64]["limit"], "memory")
        self.assertGreater(cells[2048, 1]["free_fraction"], cells[32768, 1]["free_fraction"])

    def test_efficiency_starts_at_one_and_a_larger_job_loses_some(self):
        scenario = {"model": {"id": "meta-llama/Llama-3.1-8B"}, "task": "pretraining", "hardware": {"gpu": "h100", "gpus_per_node": 8}}
        nodes = Done("sensitivity", "-", "--now", NOW, "--contexts", "4096", "--nodes", "1,2,8", text=json.dumps(scenario)).json()["nodes"]
        self.assertEqual(nodes[0]["efficiency"], 1.0)
        self.assertGreater(nodes[2]["throughput"]["tokens_per_s"], nodes[0]["throughput"]["tokens_per_s"])
        self.assertLess(nodes[2]["efficiency"], 1.2)

    def test_bad_steps_and_a_missing_machine_are_refused(self):
        self.assertEqual(Done("sensitivity", "-", "--contexts", "0", text=self.SCENARIO).code, 2)
        self.assertIn("/hardware", Done("sensitivity", "-", text=json.dumps(serving())).err)


class Budgets(unittest.TestCase):
    def test_a_limit_per_hour_leaves_the_offers_below_it(self):
        options = planned(serving(policy={"max_usd_per_hour": 2}))["options"]
        self.assertGreater(len(options), 5)
        self.assertLessEqual(max(o["cost"]["usd_per_hour"] for o in options), 2)

    def test_the_nearest_miss_of_a_limit_names_it_and_is_the_closest(self):
        misses = planned(serving(policy={"max_usd_per_hour": 0.001}))["nearest_misses"]
        self.assertEqual({m["limit"] for m in misses}, {"max_usd_per_hour"})
        self.assertEqual(misses, sorted(misses, key=lambda m: m["value"]))
        self.assertLess(misses[0]["value"], 0.2)

    def test_every_offer_is_an_option_or_says_why_not(self):
        out = planned(serving(policy={"max_usd_per_hour": 1, "providers": ["aws"]}), "--explain-rejected", "--top", "1000")
        taken, rejected = {o["instance"] for o in out["options"]}, {r["instance"]: r["reason"] for r in out["rejected"]}
        self.assertFalse(taken & set(rejected))
        self.assertEqual(rejected["aws:p5.48xlarge"], "max_usd_per_hour")
        self.assertGreater(len(taken) + len(rejected), 60)
        self.assertTrue(all(rejected.values()))

    def test_a_run_has_to_end_in_time_and_within_the_money(self):
        job = {"model": QWEN, "task": "full-finetune", "workload": {"tokens": 1e9}}
        free = planned(job)["options"][0]
        within = planned({**job, "policy": {"deadline_hours": free["time"]["total_s"] / 3600 / 2, "max_usd": free["cost"]["total_usd"] * 3}})["options"]
        self.assertTrue(within)
        for option in within:
            self.assertLessEqual(option["time"]["total_s"], free["time"]["total_s"] / 2)
            self.assertLessEqual(option["cost"]["total_usd"], free["cost"]["total_usd"] * 3)

    def test_a_throughput_is_reached_with_as_few_nodes_as_do(self):
        scenario = serving(workload={"concurrency": 1024}, hardware={"instance": "aws:p5.48xlarge"})
        one = planned(scenario)["options"][0]["throughput"]["tokens_per_s"]
        sized = planned({**scenario, "policy": {"min_tokens_per_s": one * 1.5}})["options"][0]
        self.assertGreaterEqual(sized["throughput"]["tokens_per_s"], one * 1.5)
        self.assertLessEqual(sized["nodes"], 4)

    def test_spot_machines_are_taken_back_and_the_run_pays_for_it(self):
        job = {"model": QWEN, "task": "full-finetune", "workload": {"tokens": 1e9}, "hardware": {"instance": "aws:p5.48xlarge"}}
        spot, firm = planned({**job, "policy": {"pricing": "spot"}})["options"][0], planned(job)["options"][0]
        self.assertGreater(spot["time"]["total_s"], firm["time"]["total_s"])


class OwnCatalog(unittest.TestCase):
    def test_own_machines_and_prices_stand_in_the_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "own.json"
            file.write_text(json.dumps({"only": True, "date": "2026-11-01", "machines": [{"id": "lab:box", "gpu": "rtx4090", "gpus": 2, "purchase_usd": 6000}]}))
            rows = Done("tiers", "--catalog", str(file), "--now", NOW, "--format", "json").json()["tiers"][0]["rows"]
            self.assertEqual([(row["instance"], row["cost"]["price_date"]) for row in rows], [("lab:box", "2026-11-01")])
            file.write_text('{"machines": [{"id": "lab:box"}]}')
            done = Done("tiers", "--catalog", str(file))
            self.assertEqual((done.code, "/catalog_overlay/machines/0/gpu" in done.err), (2, True))


class Help(unittest.TestCase):
    def test_every_command_shows_an_example(self):
        for command in ("estimate", "plan", "tiers", "fit", "advise", "compare", "sensitivity", "presets", "catalog", "share", "open", "inspect", "call"):
            self.assertRegex(Done(command, "--help").out, r"Example: .*gpuplan")

    def test_an_unknown_format_is_told_the_known_ones(self):
        err = Done("tiers", "--format", "xls").err
        for format in ("table", "markdown", "csv", "json"):
            self.assertIn(format, err)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
