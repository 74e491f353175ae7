"""Is an answer right, and if not, which mistake is it?"""
