"""Tests, in the tree of src/sightline; a package so that tests can share the oracle and the damage corpus."""
