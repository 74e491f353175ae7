"""What course_lib costs beside what a user would pick instead. `python -m benchmarks` runs all."""
