"""Questions asked of the store.

selection   scalar series by regular expression        frames      as pandas, polars and Arrow tables
inspection  what is in a run, in numbers               export      as CSV, JSON Lines and Parquet
"""
