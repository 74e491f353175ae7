"""Where strangers' code runs: how strongly this machine can hold it, and the workers that do."""
