"""What is known of a class, on the disk and as rows."""
