"""Three short texts of this course, for pages that let a published model read.

They are stored here and not read from the book's own pages, so that an edit elsewhere moves no
number. `first_tokens` cuts them to one length.
"""

import torch
from jaxtyping import Int
from tokenizers import Tokenizer

HARBOUR = """\
The harbour of the town had been built for fishing boats, and for two hundred years it was large
enough. Then the ships grew. In the spring of 1911 the council met to decide whether the old wall
should be moved, and the meeting lasted until midnight. The baker said that nobody would eat more
bread because of a wall. The pilot said that he could no longer bring in anything longer than forty
metres when the wind came from the west. In the end they voted, and the wall was moved by the
length of a church. It took three summers. The stones were carried out at low water and set again
one by one, and the children were given a day without school to see the last of them put in its
place. Today the ferries turn where the boats once lay, and the name of the street behind the quay
is still Old Wall."""

BREAD = """\
Bread needs four things: flour, water, salt and time. Of these, time is the one that people forget.
When flour and water are mixed, the proteins in the flour begin to join into long strands, and if
the dough is left alone for half an hour, most of the kneading has already been done. Yeast eats
the sugar in the flour and gives off a gas, which is caught between the strands and makes the dough
rise. A warm kitchen makes it rise quickly, and a cold one makes it taste better, because the slow
acids have time to form. Before the loaf goes into the oven, cut its top with a sharp knife, so
that it can open where you want it to. Bake it hot, with a little steam at the beginning, until the
crust is dark and the bottom sounds hollow when you knock on it. Then wait until it is cool."""

TRAIN = """\
The night train left at ten minutes past eleven, and Marta was the only passenger in the last
carriage. She had brought a book, two apples and a letter that she had not yet opened. For an hour
she looked out of the window, although there was nothing to see except her own face and sometimes
the lamp of a small station. The conductor came and asked for her ticket. He looked at it for a
long time. "You are going the wrong way," he said at last. Marta thought about this. She had bought
the ticket herself, she had read the sign on the platform twice, and the train had left on time.
"Where does this one go?" she asked. "To the mountains," said the conductor, "and it does not stop
before the morning." She put the letter back into her bag and gave him one of the apples."""

PASSAGES = {"a harbour": HARBOUR, "bread": BREAD, "a night train": TRAIN}


def first_tokens(tokenizer: Tokenizer, length: int = 160) -> Int[torch.Tensor, "3 T"]:
    """The first tokens of each passage, a row each."""
    texts = (text.replace("\n", " ") for text in PASSAGES.values())
    return torch.tensor([tokenizer.encode(text).ids[:length] for text in texts])
