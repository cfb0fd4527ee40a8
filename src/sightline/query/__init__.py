"""Questions asked of the store.

selection   scalar series by regular expression        frames      as pandas, polars and Arrow tables
inspection  what is in a run, in numbers               export      as CSV, JSON Lines and Parquet

What a page asks, for many runs at once:

windows     series reduced to pixels, and smoothed     last_values the last point of a metric in every run
run_table   one row per run                            run_status  whether a run goes on, and how it ended
tag_table   one row per tag and kind                   run_fields  hyper-parameters of all runs, by name
run_files   what belongs to a run on disk              known_tags  what names a formula can mean
media_items values that are no numbers, one by one     texts       logged texts as cells, cut to a length
histograms  buckets, statistics and maps         decoded_series  values that are tables of numbers
text_search a word in every value of some tags         spreadsheets  texts that are no formulas in CSV
meshes      the parts of one mesh
stored_types  the store, its runs and series, for those who hand them on

What comparing needs:

lines       tags, formulas and baselines as series     joins       one series at the steps of another
formulas    text to a bounded program                  active_time time without the pauses between restarts
statistics  numbers about a stretch of lines           aggregates  groups of runs as lines with bands
runs_frame  every run as a row
"""
