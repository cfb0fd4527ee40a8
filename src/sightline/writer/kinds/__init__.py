"""One module per family of ``add_…`` methods: what users may give, and the messages it becomes."""
