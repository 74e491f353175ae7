"""What an error of Python's, NumPy's or torch's is most often about: words of its message, and the
sentence that helps."""

LINE_UP = (
    "Two {} do not line up. Write their shapes below each other, from the right: each pair is "
    "equal, or one of the two is 1. A sum or maximum drops its axis without `{}=True`; `[:, None]` "
    "gives a new one."
)
ADVICE = {
    "(truth value of an array|Boolean value of Tensor) with more than one": "An array has many "
    "truth values, and `if`, `and`, `or`, `not` and Python's own `max` and `min` ask for one. "
    "Whether there is an array, `if x is not None:` asks; whether all of it holds, `(…).all()`; "
    "the largest along an axis is `x.max(axis=-1)`.",
    "only integer scalar arrays|indices must be integers or slices, not (numpy|Tensor)": "A list "
    "takes one whole number as its index, and you give it an array. Go through the positions one "
    "by one: `[words[i] for i in places]`.",
    r"'numpy\.float(32|64)'|0-dimensional|'numpy.float": "A single number came where you expect an "
    "array: an index or a loop went one axis too deep. Perhaps fewer axes came than you thought "
    "of: name the axis, as in `axis=-1`, in place of a loop.",
    "non-broadcastable output operand": "`+=`, `-=`, `*=` and `/=` write into the array on their "
    "left, which keeps its shape and cannot take in a larger one. `x = x + …` makes a new one.",
    "is read-only": "You write into an array that only looks larger than it is, as "
    "`np.broadcast_to` makes it. Take a copy first: `.copy()`.",
    "too many indices for array": "You give more indices than the array has axes. Perhaps a sum or "
    "an index took an axis away before.",
    "operands could not be broadcast": LINE_UP.format("arrays", "keepdims"),
    "must match the size of tensor b": LINE_UP.format("tensors", "keepdim"),
    "mask with shape .* doesn't match broadcast": LINE_UP.format("tensors", "keepdim"),
    r"(mat2|self) must be a matrix|\d+D tensors expected|must be a (\dD|3D) tensor|be at least 1D|"
    "vector \\+ matrix|input .*, mat .*, vec": "This product wants another number of axes. `a @ b` "
    "takes any: matrices in the last two axes, batches before them; a vector is `v[..., None]` "
    "there.",
    "shapes cannot be multiplied|batch2 tensor to be|matmul: Input operand|size mismatch": "In "
    "`a @ b` the last axis of a must be as long as the one before the last of b. Write both shapes "
    "beside the line: which one has to be transposed, and in which axes?",
    r"Expected hidden( size|\[0\] size) \(|Expected batch size .*hidden|For (un)?batched .*hx": "A "
    "recurrent layer takes its axes as (T, B, d) unless it is made with `batch_first=True`, and "
    "its first state is (layers, B, d) in any case: `state[None]` for one layer. One of the two is "
    "missing here, so a number of steps meets a number of sentences.",
    "'Blocks'": "`blocks` is an iterator: it has no length and no places to ask for. Go through it "
    "once: `for keys, values in blocks:`.",
    "gives each block once": "`blocks` gives each block once, and a second loop would find none. "
    "Do all that a block is needed for in one loop; what comes later corrects the sums.",
    r"\b_?(sort|argsort|sum|mean|max|min|amax|argmax|all|any|cumsum|prod)\(\) got an unexpected "
    "keyword argument '(dim|descending)'|'dim' is an invalid keyword": "NumPy's methods know no "
    "`dim`, and this is an array of NumPy's. If a tensor is meant, `torch.from_numpy(x)` makes one "
    "of it; NumPy's own word is `axis`.",
    "takes from 1 to 0 positional arguments": "Beside `stable=`, torch's `sort` and `argsort` take "
    "`dim` by its name alone: `x.sort(dim=-1, descending=True, stable=True)`.",
    "einsum": "`einsum` wants one letter for each axis, and the same letter only for axes that are "
    "equally long. Write each shape beside its letters: `bsd` is (B, S, d).",
    "Sizes of tensors must match except in dimension 0": "`torch.cat` joins along the first axis, "
    "the batch, unless you name another, as in `torch.cat([a, b], dim=1)`. In all other axes both "
    "must be equally long.",
    "the input array dimensions except for": "`np.concatenate` joins along the first axis unless "
    "you name another, as in `np.concatenate([a, b], axis=-1)`. In all other axes both must be "
    "equally long.",
    "Sizes of tensors must match except in dimension": "`torch.cat` joins tensors along one axis, "
    "and in all other axes they must be equally long. What is the same for all places is repeated "
    "first: `x[:, None].expand(-1, S, -1)`.",
    "must have same number of dimensions|must have the same number of dimensions: got|"
    "all the input arrays must have": "What `cat` or `stack` joins "
    "must have equally many axes. One lacks an axis: `x[:, None]`, or `x.unsqueeze(1)`, gives it.",
    "stack expects each tensor to be equal size|all input arrays must have the same shape": "What "
    "is stacked must have one shape. Pad the shorter ones first, or join with `cat` along the axis "
    "in which they differ.",
    "expects a non-empty TensorList|need at least one array": "There was nothing to join: the list "
    "is empty. Perhaps the loop ends before anything is appended.",
    "Dimension out of range|axis .* is out of bounds for array": "You name an axis that is not "
    "there: with n axes they are 0 to n − 1, or −1 for the last. Perhaps one was lost by an index "
    "or a sum, or it has to be made first: a column of B numbers is `torch.full((B, 1), …)`.",
    "Index tensor must have the same number of dimensions": "`gather` and `scatter` want an index "
    "with as many axes as the tensor has: `index[..., None]` gives one more. What `gather` returns "
    "has that axis, too; take it away with `squeeze(-1)`.",
    "cannot be converted to Scalar|only one element tensors can be|only length-1 arrays|single "
    "element|only 0-dimensional arrays": "`.item()`, `int(…)`, `float(…)` and `range(…)` take a "
    "single number, and here are many: one for each sentence or place. Compute with all at once, "
    "or go through them in a loop.",
    "Expected target size|Expected floating point type for target": "`F."
    "cross_entropy` wants the classes in axis 1. Flatten: logits `reshape(-1, V)`, labels "
    "`reshape(-1)`; or `logits.transpose(1, 2)`.",
    "Expected input batch_size": "`F.cross_entropy` was given more rows of logits than labels, or "
    "fewer. Either the classes are not in axis 1 (flatten both: `reshape(-1, V)` and "
    "`reshape(-1)`), or the logits are of another sequence than the labels.",
    "`-` operator, with (a|two) bool|numpy boolean (subtract|negative)": "True and False cannot "
    "be subtracted. `~mask` turns a mask round.",
    "bitwise_not_|operator.invert|ufunc 'invert'": "`~` turns True and False round, and what "
    "stands behind it is no boolean array. Comparing makes one: `ids != pad_id`.",
    "only supports boolean masks|expected BoolTensor|expected mask dtype": "`masked_fill` and "
    "`where` want True and False: compare first, as in `x == 0`, or `.bool()`.",
    "view size is not compatible|view(.*) .*contiguous": "`view` wants the numbers in memory in "
    "their order, and after a transpose they are not. `reshape` does the same and copies where it "
    "must.",
    "is invalid for input of size|cannot reshape array": "A new shape must hold as many numbers as "
    "the old one: the products of both are equal. Write both beside the line; −1 stands for the "
    "one that is left.",
    "expected sequence of length|inhomogeneous shape": "The rows of a tensor are equally long, and "
    "your lists are not. Fill the shorter ones up first.",
    "too many indices": "Between the brackets are more indices than the array has axes. A mask of "
    "True and False counts for as many axes as it has, so it needs the shape of what it chooses "
    "from; `np.where` and `masked_fill` stretch it.",
    r"index \d+ is out of bounds|list index out of range": "An index is too large: places count "
    "from 0, so the last of n is n − 1. Perhaps it is one too far, or the array one too short; or "
    "it counts along another axis; or this array has length one there and only broadcasts, as a "
    "mask may.",
    "index out of range in self": "A row is looked up that is not there: `nn.Embedding(n, d)` has "
    "rows 0 to n − 1. Look which vocabulary's size stands where the layer is made, and which words "
    "go into it.",
    "indexing tensors could not be broadcast|shape mismatch: indexing arrays": "`x[rows, columns]` "
    "takes one column for each row, so both have the same length: `torch.arange(B)` and one number "
    "for each sentence.",
    r"Can't call numpy\(\)": "NumPy knows no gradients. Stay with torch from the inputs to the "
    "result.",
    "a leaf Variable that requires grad|modified by an inplace": "You write into a tensor that is "
    "still needed for the gradient (`+=`, `x[…] = …`, names that end in `_`). Make a new one: "
    "`x = x + …`, `torch.where`, `torch.stack`.",
    "tensors used as indices must be|only integer tensors|only integers, slices": "An index must "
    "be a whole number or a tensor of int64; `.long()` makes one of other numbers.",
    "expected scalar type|to have the same dtype|must have the same dtype|dtypes match for "
    "the source": "Two tensors of different dtypes meet. Make each new one with the dtype of the "
    "inputs, as in `torch.zeros(n, dtype=x.dtype)`, and convert none.",
    "expanded size of the tensor": "What is stretched (`expand`), or written into a part of a "
    "tensor, has another length than there is room for. Only an axis of length one stretches, and "
    "an axis that has to keep its own length is -1, as in `x[:, None].expand(-1, S, -1)`.",
    "could not broadcast input array|shape mismatch: value tensor": ""
    "What you write into a part of a tensor has another length than that part. Count both: a slice "
    "`0::2` of n numbers holds (n + 1) // 2, `1::2` holds n // 2.",
    "not enough values to unpack|too many values to unpack": "What you take apart has another "
    "number of parts than there are names to its left. A shape has one for each axis: "
    "`*lead, T, d = x.shape`, or `x.shape[-1]`.",
    "'NoneType' object|and 'NoneType'|NoneType and": "Something is None here. An argument that may "
    "be None (a mask, a cache) is asked first: `if mask is not None:`; a function without `return` "
    "gives None, too.",
    "object has no attribute 'masked_fill'|'numpy.ndarray' object has no": "This is no tensor: it "
    "comes from NumPy or Python. Stay with torch, or make a tensor of it.",
    "does not require grad and does not have a grad_fn": "`backward` starts from something that "
    "has no gradient: it was computed under `no_grad`, detached, or made of plain numbers "
    "(`.item()`, `argmax`). Compute the loss from the parameters, outside `no_grad`.",
    "before Module.__init__": "Call `super().__init__()` first in `__init__`: a module must exist "
    "before it can hold layers.",
    "return_types.max": "`x.max(dim)` gives two tensors, the values and where they are: `.values`, "
    "or `x.amax(dim)`.",
    "Only tensors of floating point|not implemented for 'Long'|not implemented for 'Bool'|"
    "could not infer output dtype": "Whole numbers and booleans have no mean, softmax or gradient. "
    "Make floats of them first: `.to(x.dtype)`.",
    "step wants a tensor of": "`step` takes one word for each sentence, a tensor of shape (B,): "
    "begin with `torch.full((len(state),), start_id)`, and leave out `keepdim`.",
    "interpreted as an integer|must be tuple of ints|got float|must be integers": "A length, "
    "an index or an axis must be a whole number, and here is a float. `/` gives one, `//` does "
    "not; or an argument stands in another's place: say it by name, as in `axis=axis`.",
    "was called more than max_length": "It is called too often: at most max_length times, once "
    "for each word of all sentences together, and never again when all of them have ended.",
    "expected target dtype": "`F.cross_entropy` takes the labels as they are, int64; only the "
    "logits are floats.",
    "division by zero": "You divide by 0. What should come out when there is nothing to count? Ask "
    "for that first.",
    "referenced before assignment|not associated with a value": "A name is used before it has a "
    "value: perhaps it gets one inside an `if` or a loop that is passed over here.",
    "has no attribute": "Perhaps a name is misspelt, or belongs to something else: a layer is "
    "`self.name` in `__init__` and in `forward`.",
    "is not in list|KeyError": "What is looked for is not there in every case. Ask first: "
    "`if x in …`.",
    "unhashable type": "Only what cannot be changed can be in a set: tuples, numbers and texts, no "
    "lists and no sets.",
    "unsupported operand type": "The two sides of an operator do not fit: `&`, `|` and `-` of sets "
    "want a set on both sides, and numbers go with numbers (`len(…)` makes one of a set).",
    "'(Tensor|numpy.ndarray)' object is not callable": "A name in front of round brackets holds an "
    "array. A layer of a module is `self.name(…)`; a place in an array is in square brackets.",
    "object is not callable": "Something in front of round brackets is no function. Perhaps a name "
    "of a function was given to something else, or square brackets are meant.",
}
