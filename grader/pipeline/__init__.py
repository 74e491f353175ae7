"""From submissions to rows: one submission, one machine, a cluster, one run, the commands."""
