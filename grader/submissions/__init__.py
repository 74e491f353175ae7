"""What students handed in, read as data: folders, archives, names, notebooks, the roster."""
