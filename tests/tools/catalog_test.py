"""The catalog's check finds each kind of broken row, and nothing in the catalog that ships."""
import copy
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "lib"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import checks
from catalog import memory, nodes, tables

check = checks.load_tool("check_catalog")
SHIPPED = {name: check.read(name) for name in check.NAMES}
OFFERS, GPU_ROWS = tables.rows("instances"), {row["id"]: row for row in tables.rows("gpus")}


def few():
    """The shipped catalog cut to what the tests break, and the GPUs that it needs: the check of a schema takes its time."""
    offers = [offer for offer in SHIPPED["instances"]["instances"] if offer["id"] in ("aws:g6.xlarge", "aws:p5.48xlarge", "gcp:a2-highgpu-1g")]
    wanted = {offer["gpu"] for offer in offers} | {"nvidia-a10"} | {gpu["id"] for gpu in SHIPPED["gpus"]["gpus"] if gpu["vendor"] != "NVIDIA"}
    gpus = [gpu for gpu in SHIPPED["gpus"]["gpus"] if gpu["id"] in wanted]
    return {**SHIPPED, "gpus": {**SHIPPED["gpus"], "gpus": gpus}, "instances": {**SHIPPED["instances"], "instances": offers}}


FEW = few()


class Catalog(unittest.TestCase):
    def setUp(self):
        self.documents = {name: dict(document) for name, document in FEW.items()}

    def gpu(self, identifier):
        """A copy of a GPU's entry, placed in the document to be broken."""
        return self.replaced("gpus", "gpus", identifier)

    def offer(self, identifier):
        return self.replaced("instances", "instances", identifier)

    def software(self, identifier):
        return self.replaced("software", "software", identifier)

    def replaced(self, name, key, identifier):
        entries = list(self.documents[name][key])
        at = next(index for index, entry in enumerate(entries) if entry["id"] == identifier)
        entries[at] = copy.deepcopy(entries[at])
        self.documents[name] = {**self.documents[name], key: entries}
        return entries[at]

    def found(self, offers=OFFERS):
        return check.findings(self.documents, offers, GPU_ROWS)

    def assert_found(self, words):
        found = self.found()
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_what_ships_is_clean_and_up_to_date(self):
        self.assertEqual(check.findings(SHIPPED, OFFERS, GPU_ROWS), [])
        self.assertEqual(list(check.stale()), [])

    def test_dense_above_sparse(self):
        self.gpu("nvidia-a10")["bf16_dense_flops_per_second"]["value"] = 251e12
        self.assert_found("bf16_sparse_flops_per_second is below the dense rate")

    def test_measured_above_dense(self):
        self.gpu("nvidia-h100-sxm-80gb")["bf16_measured_matmul_flops_per_second"]["value"] = 1100e12
        self.assert_found("above the dense rate")

    def test_usable_above_advertised(self):
        self.gpu("nvidia-l4")["memory_usable_bytes"]["value"] = 26e9
        self.assert_found("more than the advertised size")

    def test_gib_taken_for_gb(self):
        self.gpu("nvidia-l4")["memory_usable_bytes"]["value"] = 24 * 2 ** 30 / 2
        self.assert_found("less than 60 %")

    def test_one_way_taken_for_both(self):
        self.gpu("nvidia-h100-sxm-80gb")["scale_up_bytes_per_second_per_gpu_bidirectional"]["value"] = 450e9
        self.assert_found("not the bidirectional one")

    def test_a_rate_in_the_wrong_unit(self):
        self.gpu("nvidia-l4")["memory_bandwidth_bytes_per_second"]["value"] = 300e12
        found = self.found()
        self.assertTrue(any("flops per byte" in finding for finding in found), found)

    def test_a_figure_without_a_source(self):
        self.gpu("nvidia-l4")["tdp_watts"]["source"] = "somebody"
        self.assert_found("cites 'somebody'")

    def test_a_figure_without_a_kind_or_below_zero(self):
        del self.gpu("nvidia-l4")["tdp_watts"]["kind"]
        self.assert_found("'kind' is a required property")
        self.setUp()
        self.gpu("nvidia-l4")["tdp_watts"]["value"] = -72
        self.assert_found("/gpus/")

    def test_one_alias_for_two_gpus(self):
        self.gpu("nvidia-l4")["aliases"] = ["h-100"]
        self.assert_found("belongs to")

    def test_an_unknown_gpu_provider_or_currency(self):
        self.offer("aws:g6.xlarge")["gpu"] = "nvidia-l5"
        self.assert_found("'nvidia-l5' is not in the catalog")
        self.setUp()
        self.offer("aws:g6.xlarge")["provider"] = "awz"
        self.assert_found("'awz' is not known")
        self.setUp()
        self.offer("aws:g6.xlarge")["price"]["currency"] = "EUX"
        self.assertTrue(any("no exchange rate" in finding for finding in self.found()))

    def test_a_price_of_zero(self):
        self.offer("aws:g6.xlarge")["price"]["on_demand_per_hour"] = 0
        self.assertTrue(any("/instances/" in finding for finding in self.found()))

    def test_a_price_per_month_taken_for_one_per_hour(self):
        self.offer("aws:g6.xlarge")["price"].update(on_demand_per_hour=500, lowest_region_per_hour=None, highest_region_per_hour=None)
        self.assert_found("USD per GPU-hour")

    def test_spot_above_on_demand(self):
        self.offer("gcp:a2-highgpu-1g")["price"]["spot_per_hour"] = 3.7
        self.assert_found("spot costs more")

    def test_an_offer_there_twice(self):
        self.documents["instances"]["instances"] = FEW["instances"]["instances"] + FEW["instances"]["instances"][:1]
        self.assert_found("there twice")

    def test_rdma_over_tcp(self):
        self.offer("aws:g6.xlarge")["rdma"] = True
        self.assert_found("rdma is True on tcp")

    def test_bits_taken_for_bytes(self):
        self.offer("aws:p5.48xlarge")["machine"]["scale_out_bytes_per_second_per_node_each_way"] = 3200e9 * 2
        self.assert_found("cannot carry")

    def test_a_link_faster_than_the_gpu(self):
        self.offer("aws:p5.48xlarge")["machine"]["scale_up_bytes_per_second_per_gpu_each_way"] = 900e9
        self.assert_found("above the GPU's own")

    def test_several_gpus_without_a_link(self):
        self.offer("aws:p5.48xlarge")["scale_up"] = "none"
        self.assert_found("without a link between them")

    def test_count_times_memory(self):
        row = {**OFFERS[0], "gpu_memory_gb": "24"}
        self.assertIn("says 24 GB per GPU", self.found([row])[0])

    def test_software_with_unknown_formats_vendors_or_order(self):
        self.software("vllm")["weight_formats"].append("fp7")
        self.assert_found("fp7")
        self.setUp()
        self.software("vllm")["vendors"].append("Nvidea")
        self.assert_found("Nvidea")
        self.setUp()
        self.software("vllm")["versions"].reverse()
        self.assert_found("oldest first")


class Rules(unittest.TestCase):
    def test_the_median_counts_readings_not_rows(self):
        self.assertEqual(memory.weighted_median([(79.2, 1), (79.4, 30), (80.0, 2)]), 79.4)

    def test_the_drivers_share_is_a_small_part_of_the_board(self):
        constant, slope = memory.driver_share(memory.readings_by_gpu())
        self.assertTrue(0.1 < constant < 0.6 and 0 < slope < 0.01, (constant, slope))

    def test_network_cards_that_nobody_counts(self):
        self.assertEqual(nodes.usual_nics("infiniband", "3200", "8"), 8)
        self.assertEqual(nodes.usual_nics("tcp", "100", "8"), 1)
        self.assertEqual(nodes.usual_nics("tcp", "", "8"), 0)


if __name__ == "__main__":
    unittest.main()
