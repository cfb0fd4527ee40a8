"""Series in memory: what the core has read, as runs, series and snapshots; and the cache on disk.

    runs      all runs of a log                    series    one scalar: NumPy columns
    run       one run, cheap until used            media     images, text …: places in files, read on demand
    snapshot  a run at one revision                branches  which points a restart superseded
    access    bytes of local and remote files      cache     where packs live, how they are bounded
    files, side_files                              facts about event files and their neighbours

Nothing here starts threads or looks for files: readers bring the data, ``log`` says when.
"""
