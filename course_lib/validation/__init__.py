"""What is given from outside: it is what its argument means, or a sentence says what is needed."""
