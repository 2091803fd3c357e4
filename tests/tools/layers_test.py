import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "lib"))
import checks

layers = checks.load_tool("check_layers")


class Layers(unittest.TestCase):
    def found(self, path, text):
        return layers.findings_in(path, text)

    def test_a_formula_may_use_layouts_and_units(self):
        self.assertEqual(self.found("core/memory/weights.cpp", '#include "core/layout/layout.hpp"\n#include "core/units.hpp"\n#include <vector>\n'), [])

    def test_a_layout_must_not_know_the_search(self):
        self.assertEqual(len(self.found("core/layout/rules.cpp", '#include "core/plan/search.hpp"\n')), 1)

    def test_an_include_in_a_comment_does_not_count(self):
        self.assertEqual(self.found("core/layout/rules.cpp", '// #include "core/plan/search.hpp"\n'), [])

    def test_json_is_read_in_readers_only(self):
        self.assertEqual(self.found("core/catalog/gpu_read.cpp", "#include <nlohmann/json.hpp>\n"), [])
        self.assertEqual(self.found("core/catalog/gpu.hpp", "#include <nlohmann/json_fwd.hpp>\n"), [])
        self.assertEqual(len(self.found("core/memory/weights.cpp", "#include <nlohmann/json.hpp>\n")), 1)
        self.assertEqual(len(self.found("core/scenario/scenario.hpp", "#include <nlohmann/json.hpp>\n")), 1)

    def test_the_core_has_no_clock_and_no_streams(self):
        self.assertEqual(len(self.found("core/plan/cost.cpp", "#include <chrono>\n#include <iostream>\n")), 2)

    def test_the_core_uses_no_libm(self):
        self.assertEqual(len(self.found("core/compute/roofline.cpp", "double f(double x) { return std::pow(x, 0.5); }")), 1)
        self.assertEqual(self.found("core/compute/roofline.cpp", "double f(double x) { return std::sqrt(std::min(x, 1.0)); }"), [])

    def test_other_libraries_are_refused(self):
        self.assertEqual(len(self.found("core/plan/cost.cpp", "#include <boost/any.hpp>\n")), 1)

    def test_a_type_has_one_home(self):
        view, catalog = ("core/view/view.hpp", "struct Table {\n};"), ("core/catalog/table.hpp", "class Table final {\n};")
        self.assertEqual(len(layers.types_defined_twice([view, catalog])), 1)
        self.assertEqual(layers.types_defined_twice([view, ("core/view/make.hpp", "struct Table;\nstruct Row {};")]), [])

    def test_a_new_folder_must_be_listed(self):
        self.assertEqual(len(self.found("core/misc/a.cpp", "")), 1)


if __name__ == "__main__":
    unittest.main()
