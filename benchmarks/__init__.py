"""Benchmarks: each prints tables of ratios against a peer, or a limit, measured in the same run.

python -m benchmarks.reading    how fast, and in how much memory, whole log directories are read
python -m benchmarks.live       how soon an appended record is visible, and what idle watching costs
"""
