"""The run's story: how it was started, on what, with which code, how it ended; and what the machine did."""
