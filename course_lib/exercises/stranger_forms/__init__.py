"""Other things to be asked about a stranger's answer than an input on which it is wrong:

which_…    which of two strangers is right, and an input on which the other is wrong (`which.py`)
predict_…  an input, its right value and the program's, before anything is run (`predict.py`)
repair_…   the wrong line of a program, by its number, and what it should be (`repair.py`)
say_…      the sentence that is true of the stranger, and an input that shows it (`sentence.py`)
"""
