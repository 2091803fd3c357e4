# Shared by the entry points in tools/: where things are, which Node to use, how to say what is going on. Source it; it changes to the repository's root.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$ROOT"
CACHE="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/gpuplan"
NODE_NEEDED=20.19.0
JOBS="${GPUPLAN_JOBS:-$(nproc)}"

export NODE_PATH="/usr/share/nodejs${NODE_PATH:+:$NODE_PATH}"  # Debian's Emscripten finds acorn there
export CCACHE_DIR="${CCACHE_DIR:-$CACHE/ccache}" CCACHE_BASEDIR="$ROOT" CCACHE_NOHASHDIR=1

say() { printf '\n== %s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

# Prints the comment block at the head of the calling script: that is its help.
help_of() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$1"; }

# True when a node of at least NODE_NEEDED is at "$1".
node_is_new_enough() {
  local version
  version=$("$1" --version 2>/dev/null) || return 1
  [ "$(printf '%s\n' "$NODE_NEEDED" "${version#v}" | sort -V | head -n 1)" = "$NODE_NEEDED" ]
}

# Node from the cache goes first on PATH when the system's own is too old.
use_node() {
  if ! node_is_new_enough node && [ -x "$CACHE/node/bin/node" ]; then PATH="$CACHE/node/bin:$PATH"; fi
}
use_node

# Configures (once) and builds a tree by the name of its preset; further arguments are targets.
build_tree() {
  local preset=$1; shift
  [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >"$CACHE/configure-$preset.log" 2>&1 || { tail -n 30 "$CACHE/configure-$preset.log" >&2; return 1; }
  cmake --build "build/$preset" --parallel "$JOBS" ${1:+--target "$@"}
}
mkdir -p "$CACHE"
