import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "lib"))
import checks

strings = checks.load_tool("check_strings")
texts = checks.load_tool("check_texts")


class Strings(unittest.TestCase):
    def test_languages_have_the_same_keys(self):
        self.assertEqual(strings.compare("zh", {"a": "甲"}, {"a": "A"}), [])
        self.assertEqual(len(strings.compare("zh", {}, {"a": "A"})), 1)
        self.assertEqual(len(strings.compare("zh", {"a": "甲", "b": "乙"}, {"a": "A"})), 1)

    def test_placeholders_agree_in_any_order(self):
        self.assertEqual(strings.compare("zh", {"a": "{n} 个 {what}"}, {"a": "{what}: {n}"}), [])
        self.assertEqual(len(strings.compare("zh", {"a": "{m}"}, {"a": "{n}"})), 1)

    def test_an_empty_text_is_found(self):
        self.assertEqual(len(strings.compare("zh", {"a": " "}, {"a": "A"})), 1)

    def test_nested_objects_are_dotted_keys(self):
        self.assertEqual(strings.flatten({"note": {"old": "x"}}), {"note.old": "x"})

    def test_a_key_is_used_whole_or_by_its_prefix(self):
        self.assertEqual(strings.unused(["note.old_price"], ['f("note.old_price")']), [])
        self.assertEqual(strings.unused(["note.old_price"], ['f("note." + code)']), [])
        self.assertEqual(strings.unused(["note.old_price"], ["text(`note.${code}`)"]), [])
        self.assertEqual(strings.unused(["note.old_price"], ['f("note.old")']), ["note.old_price"])

    def test_a_remark_without_a_text_is_found(self):
        self.assertEqual(strings.silent({"note.model-variant"}, ['t.note("model-variant", x)', 'v.assume("model-guess", x)', 'notes.push_back({"memory-short", Severity::info})']), ["memory-short", "model-guess"])


class Texts(unittest.TestCase):
    def test_paths_of_one_machine_are_found(self):
        self.assertEqual(len(texts.findings_in("a.md", "see /" + "work/main/x")), 1)
        self.assertEqual(len(texts.findings_in("a.md", "in /" + "home/ann/src")), 1)
        self.assertEqual(texts.findings_in("a.md", "in /usr/share/nodejs and a/" + "work/b and https://x.org/" + "work/y"), [])

    def test_registries_and_secrets_are_found(self):
        self.assertEqual(len(texts.findings_in("package-lock.json", '"resolved": "https' + '://registry.' + 'npmjs.org/x"')), 2)
        self.assertEqual(len(texts.findings_in("a.sh", "TOKEN=hf" + "_abcdefghijklmnopqrstuv")), 1)


if __name__ == "__main__":
    unittest.main()
