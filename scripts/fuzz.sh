#!/usr/bin/env bash
# Fuzzes one target of core/fuzz from its regression corpus. Called by the Makefile after the build.
#
#   scripts/fuzz.sh <target> <seconds>
set -euo pipefail
cd "$(dirname "$0")/.."

target=$1
seconds=$2
found=build/fuzz/corpus/$target
log=build/fuzz/$target.log
mkdir -p "$found" build/fuzz/findings
if ! build/fuzz/targets/"$target" -max_total_time="$seconds" -timeout=25 \
    -artifact_prefix=build/fuzz/findings/"$target"- "$found" core/fuzz/corpus/"$target" >"$log" 2>&1; then
    tail -n 80 "$log" >&2
    echo "fuzz: $target failed; add its input from build/fuzz/findings to core/fuzz/corpus/$target" >&2
    exit 1
fi
echo "fuzz: $target: $(tail -n 1 "$log")"
