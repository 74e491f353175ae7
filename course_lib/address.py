"""Where this course's repository is. `make address` writes it, from _config.yml."""

REPOSITORY = ""  # empty until then: nothing is fetched from a stranger
