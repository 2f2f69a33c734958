"""corbel-sweep: many runs of sim-run as one study (docs/guides/sweeps.md)."""
