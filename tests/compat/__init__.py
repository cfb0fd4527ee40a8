"""Sightline against real logs, damaged logs and TensorBoard's own reader."""
