"""The report that a student reads."""
