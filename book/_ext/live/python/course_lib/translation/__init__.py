"""Of the translators a page takes the parts that need no torch: the pairs of the corpus."""
