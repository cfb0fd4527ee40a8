"""Questions asked of the store.

selection   scalar series by regular expression        frames      as pandas, polars and Arrow tables
inspection  what is in a run, in numbers               export      as CSV, JSON Lines and Parquet

What a page asks, for many runs at once:

windows     series reduced to pixels, and smoothed     last_values the last point of a metric in every run
run_table   one row per run                            run_status  whether a run goes on, and how it ended
tag_table   one row per tag and kind                   run_fields  hyper-parameters of all runs, by name
run_files   what belongs to a run on disk
"""
