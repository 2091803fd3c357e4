import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "lib"))
import checks

method = checks.load_tool("check_method")
KNOWN = {"M-" + "kv"}


class Method(unittest.TestCase):
    def test_a_section_that_nobody_wrote_is_found(self):
        self.assertEqual(method.unknown_sections({"a.cpp": "/// Bytes [M-" + "kv]."}, KNOWN), [])
        self.assertEqual(len(method.unknown_sections({"a.cpp": "\n/// Bytes [M-" + "kb]."}, KNOWN)), 1)

    def test_a_source_without_brackets_is_found(self):
        self.assertEqual(len(method.unknown_sections({"a.cpp": "f(\"M-" + "kv\")"}, KNOWN)), 1)

    def test_a_test_is_named_with_or_without_its_ending(self):
        paths = ["tests/unit/compute/roofline_test.cpp", "tests/cli/plan_test.py"]
        self.assertEqual(method.missing_tests("`unit/compute/roofline`, `tests/cli/plan_test.py`, `tests/cli/`", paths), [])
        self.assertEqual(len(method.missing_tests("`unit/compute/roofs`", paths)), 1)


if __name__ == "__main__":
    unittest.main()
