"""What training code imports: turns values into records of an event file, at next to no cost to training.

    summary_writer     SummaryWriter: the methods below put together, opening, flushing, closing
    file_writer        finished messages into the same file
    global_writer      one writer for a whole program, which counts the steps
    run_dirs           dated and numbered directories

    engine             what every method stands on: arguments, arrays, the background thread, exit and forks
    kinds              one module per family of ``add_…`` methods
    media              pictures, films, projector files
    model_graphs       graphs of models
    story              how the run was started and how it ended; system metrics

The file itself is written by ``_core.Sink``, a native thread that does not need the GIL. Nothing here
imports a framework unless the value at hand came from it.
"""
