#!/usr/bin/env bash
# Runs one target of core/fuzz. Called by the Makefile after the build.
#
#   scripts/fuzz.sh <target>              every input of its corpus, then always the same changes of them
#   scripts/fuzz.sh <target> <seconds>    new inputs, found from the corpus and from what earlier searches found
set -euo pipefail
cd "$(dirname "$0")/.."

target=$1
seconds=${2:-}
program=build/native-address/targets/$target
corpus=core/fuzz/corpus/$target
found=build/fuzz/corpus/$target
made=build/fuzz/made/$target
log=build/fuzz/$target.log
options=(-timeout=25 -artifact_prefix=build/fuzz/findings/"$target"-)
rm -rf "$made"
mkdir -p "$found" "$made" build/fuzz/findings

run() {
    if [ -n "$seconds" ]; then
        "$program" "${options[@]}" -max_total_time="$seconds" "$found" "$corpus"
    else
        # One by one, so that the log names the input at which it ends. New inputs are written to the first directory
        # named: never to the corpus, and to an empty one, so that every run makes the same (but for what threads change).
        "$program" "${options[@]}" "$corpus"/* && "$program" "${options[@]}" -seed=1 -runs=1500 "$made" "$corpus"
    fi
}

if ! run >"$log" 2>&1; then
    grep -E '^Running: |^INFO: Seed: |ERROR: |runtime error: ' "$log" | grep -B 1 -E 'ERROR: |runtime error: ' >&2 || true
    tail -n 60 "$log" >&2
    echo "fuzz: $target failed; add its input from build/fuzz/findings to $corpus" >&2
    exit 1
fi
echo "fuzz: $target: $(find "$corpus" -type f | wc -l) inputs; $(tail -n 1 "$log")"
