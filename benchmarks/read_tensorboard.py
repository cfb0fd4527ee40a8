"""Measured process: TensorBoard's Python reader, without TensorFlow.

Set up as ``tensorboard --load_fast=false`` does: the multiplexer with its default sampling.
"""

from __future__ import annotations

import importlib
import logging
import sys

from benchmarks.fresh_process import MeasuredRead


def main() -> None:
    logging.disable(logging.WARNING)
    multiplexers = importlib.import_module("tensorboard.backend.event_processing.plugin_event_multiplexer")
    ingester = importlib.import_module("tensorboard.backend.event_processing.data_ingester")
    with MeasuredRead() as measured:
        multiplexer = multiplexers.EventMultiplexer(
            size_guidance=ingester.DEFAULT_SIZE_GUIDANCE,
            tensor_size_guidance=ingester.DEFAULT_TENSOR_SIZE_GUIDANCE,
        )
        multiplexer.AddRunsFromDirectory(sys.argv[1])
        multiplexer.Reload()
    runs = multiplexer.Runs()
    measured.report(runs=len(runs), series=sum(len(tags["tensors"]) for tags in runs.values()))


if __name__ == "__main__":
    main()
