"""Attention as formulas: the files that a student reads.

In reading order: `softmax`, `masks`, `scores`, `scaled_dot_product`, `positions`, `linear`, and
`precision`, which says what half precision is computed in. Each function computes and asks nothing:
what it is given has been checked by the gate (`course_lib.gate`), where the public functions of the
same names stand.
"""
