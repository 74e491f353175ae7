"""What people read: a page for each student and one for the class."""
