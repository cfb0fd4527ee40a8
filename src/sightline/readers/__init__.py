"""Finding and following logs: what users name (roots), local changes (watch), object stores (remote)."""
