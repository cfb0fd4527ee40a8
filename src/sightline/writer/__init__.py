"""What training code imports: turns values into records of an event file, at next to no cost to training.

    summary_writer     SummaryWriter: the methods below put together, opening, flushing, closing
    base               what every group of methods builds on: give values away now, or encode them later
    arrays             NumPy arrays and numbers out of whatever a training loop holds
    background         the thread that encodes pictures, sounds and the like
    lifetime           exit, unhandled exceptions and forks

and one module per family of ``add_…`` methods. The file itself is written by ``_core.Sink``, a native thread
that does not need the GIL. Nothing here imports a framework unless the value at hand came from it.
"""
