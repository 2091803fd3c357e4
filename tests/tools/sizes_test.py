import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "lib"))
import checks

sizes = checks.load_tool("check_sizes")
BODY = "  x();\n" * 70


class Sizes(unittest.TestCase):
    def test_a_long_function_is_found_by_name(self):
        text = "namespace gpuplan {\nint area(int a,\n         int b) {\n" + BODY + "}\n}  // namespace gpuplan\n"
        self.assertEqual(sizes.sizes("core/a.cpp", text), {"core/a.cpp:area": 72})

    def test_a_long_member_is_found_inside_its_class(self):
        text = "class A {\n  int area() const noexcept {\n" + BODY + "  }\n};\n"
        self.assertEqual(list(sizes.sizes("core/a.hpp", text)), ["core/a.hpp:area"])

    def test_a_long_class_of_short_functions_is_fine(self):
        self.assertEqual(sizes.sizes("core/a.hpp", "struct A {\n" + "  int f() { return 1; }\n" * 100 + "};\n"), {})

    def test_braces_in_strings_and_comments_do_not_count(self):
        text = "void f() { // {\n  g(\"{\");\n}\n" + "int a;\n" * 100
        self.assertEqual(sizes.sizes("core/a.cpp", text), {})

    def test_typescript_arrows_and_python_count_too(self):
        self.assertEqual(list(sizes.sizes("web/a.tsx", "export const Row = (p: P) => {\n" + BODY + "};\n")), ["web/a.tsx:Row"])
        self.assertEqual(list(sizes.sizes("tools/a.py", "def f():\n" + "    x()\n" * 70)), ["tools/a.py:f"])

    def test_a_long_file_is_found(self):
        self.assertEqual(sizes.sizes("web/a.ts", "x;\n" * 401), {"web/a.ts": 401})

    def test_the_ratchet_lets_old_sizes_stay_but_not_grow(self):
        self.assertEqual(sizes.compare({"a.cpp:f": 80}, {"a.cpp:f": 80}), [])
        self.assertEqual(len(sizes.compare({"a.cpp:f": 81}, {"a.cpp:f": 80})), 1)
        self.assertEqual(len(sizes.compare({"a.cpp:f": 70}, {"a.cpp:f": 80})), 1)
        self.assertEqual(len(sizes.compare({"a.cpp": 401}, {})), 1)


if __name__ == "__main__":
    unittest.main()
