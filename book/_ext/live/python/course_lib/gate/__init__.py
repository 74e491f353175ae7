"""What a page's cells take of the library's attention, on NumPy alone: a browser has no torch."""
