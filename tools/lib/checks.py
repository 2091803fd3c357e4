"""What the checks in tools/ share: the files of the repository and how findings are reported."""
import argparse
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def repository_files(root, *prefixes):
    """Paths below `root`, relative to it, that git tracks or would track; only those that start with one of `prefixes`, if any."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"], check=True, capture_output=True)
    paths = sorted({p for p in listed.stdout.decode().split("\0") if p and (root / p).is_file()})
    return [p for p in paths if not prefixes or p.startswith(prefixes)]


def read_text(path):
    """The text of a file, or None when it is not text."""
    try:
        return pathlib.Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def arguments(doc):
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the tree to look at (default: this repository)")
    return parser


def report(name, findings, looked_at):
    """Prints the findings and returns the exit status. Looking at nothing is a failure: such a check could never fail."""
    for finding in findings:
        print(f"{name}: {finding}", file=sys.stderr)
    if not looked_at:
        print(f"{name}: found nothing to look at", file=sys.stderr)
        return 1
    print(f"{name}: {looked_at} looked at, {len(findings)} findings")
    return 1 if findings else 0


def load_tool(name):
    """A script of tools/ as a module, for its tests."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "tools" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module
