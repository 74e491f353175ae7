"""Three tasks on words, films and proteins, each trained with a part that the page writes.

As in `small_pictures`, a task trains a new model and returns its last loss and what is right.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from book.helpers.small_trials import Result, draw, learn, share, whole
from course_lib.modules.multi_head import MultiHeadAttention

WORDS = ["a", "red", "green", "blue", "disc", "ring", "cross", "."]


def sentences(n: int) -> tuple[Tensor, Tensor]:
    """Words (n, 5) as ". a red disc .", and pictures (n, 2, 6) of colour and shape."""
    said = torch.stack([1 + whole(3, n), 4 + whole(3, n)], 1)
    words = torch.tensor([7, 0, 1, 4, 7]).repeat(n, 1)
    words[:, 2:4] = said
    return words, F.one_hot(said - 1, 6).float()


class Language(nn.Module):
    """The next of four words, from the last one and its place, and later from a picture."""

    def __init__(self, d: int = 32) -> None:
        super().__init__()
        self.word, self.place = nn.Embedding(8, d), nn.Embedding(4, d)
        self.hidden, self.out = nn.Linear(d, d), nn.Linear(d, 8)
        self.look = MultiHeadAttention(d, 2, kdim=6, vdim=6)  # the new part
        self.gate = nn.Parameter(torch.zeros(()))


Join = Callable[[Tensor, Tensor, Tensor], Tensor]


def pictures_in_a_language_model(join: Join, zero_last: bool = False) -> Result:
    """`join(x, seen, gate)` adds what the new attention brings back to a model that is frozen.

    With `zero_last` the last matrix of the new attention starts at zero.
    """
    model = Language()

    def logits(words: Tensor, picture: Tensor | None) -> Tensor:
        x = model.word(words) + model.place(torch.arange(words.shape[1]))
        if picture is not None:
            x = join(x, model.look(x, picture)[0], model.gate)
        return model.out(torch.relu(model.hidden(x)))

    def loss(look: bool) -> Tensor:
        words, picture = sentences(64)
        found = logits(words[:, :-1], picture if look else None)
        return F.cross_entropy(found.flatten(0, 1), words[:, 1:].flatten())

    learn(model, lambda: loss(look=False), 100)
    if zero_last:
        model.look.W_o.weight.zero_()
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name.startswith(("look", "gate")))
    last = learn(model, lambda: loss(look=True), 100)
    words, picture = sentences(1000)
    said = logits(words[:, :-1], picture).argmax(-1)
    return last, share((said == words[:, 1:])[:, 1:3])  # colour and shape


def films(n: int) -> tuple[Tensor, Tensor]:
    """A dot on a ring in three frames of five places (n, 3, 5); whether it moves right (n,)."""
    right = torch.rand(n, generator=draw) < 0.5
    way = torch.where(right, 1, -1)[:, None] * torch.arange(3)
    return F.one_hot((whole(5, n)[:, None] + way) % 5, 5).float(), right.float()


class Watcher(nn.Module):
    """A look and a feed-forward network for each entry of `looks`: time, space or all."""

    def __init__(self, looks: Sequence[str], d: int = 16) -> None:
        super().__init__()
        self.see, self.out, self.looks = nn.Linear(1, d), nn.Linear(d, 1), looks
        self.when = nn.Parameter(torch.randn(3, 1, d))
        self.where = nn.Parameter(torch.randn(5, d))
        self.attend = nn.ModuleList(MultiHeadAttention(d, 2) for _ in looks)
        self.mix = nn.ModuleList(
            nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, d)) for _ in looks
        )

    def forward(self, film: Tensor) -> Tensor:
        x = self.see(film[..., None]) + self.when + self.where  # (B, 3, 5, d)
        for axis, attend, mix in zip(self.looks, self.attend, self.mix, strict=True):
            y = x.transpose(1, 2) if axis == "time" else x
            tokens = y.flatten(1, 2) if axis == "all" else y.flatten(0, 1)
            y = y + attend(tokens)[0].view_as(y)
            y = y + mix(y)
            x = y.transpose(1, 2) if axis == "time" else y
        return self.out(x).mean((1, 2, 3))


def direction(looks: Sequence[str]) -> Result:
    """Does the dot move right? Half of the answers are right by guessing."""
    model = Watcher(looks)

    def loss() -> Tensor:
        film, right = films(32)
        return F.binary_cross_entropy_with_logits(model(film), right)

    last = learn(model, loss, 250, 5e-3)
    film, right = films(1000)
    return last, share((model(film) > 0) == (right > 0))


def families(n: int, relatives: int = 16) -> tuple[Tensor, Tensor, Tensor]:
    """Relatives (n, 16, 12), a new sequence (n, 12), and its column to hide (n, 1).

    Eight columns form four pairs, others in each family: 0 is found with 1, and 2 with 3.
    """
    order = torch.rand(n, 12, generator=draw).argsort(1)  # the four pairs come first
    letters = torch.randint(4, (n, relatives + 1, 12), generator=draw)
    letters[..., 1:8:2] = letters[..., 0:8:2] ^ 1
    place = order[:, None].expand(-1, relatives + 1, -1)
    rows = torch.empty_like(letters).scatter(2, place, letters)
    return rows[:, 1:], rows[:, 0], order[:, :1]


class Folder(nn.Module):
    """Attention among the letters of a new sequence, one of which is hidden."""

    def __init__(self, d: int = 24) -> None:
        super().__init__()
        self.letter, self.column = nn.Embedding(5, d), nn.Embedding(12, d)
        self.pairs, self.family = nn.Linear(16, 1), nn.Linear(64, d, bias=False)
        self.look, self.out = MultiHeadAttention(d, 1), nn.Linear(d, 4)


Tell = Callable[[Folder, Tensor], tuple[Tensor | None, Tensor | None]]


def protein(tell: Tell) -> Result:
    """`tell(model, letters)` of the relatives (B, 16, 12, 4): what is added to the vectors of the
    columns, and what is added to the scores; None for nothing."""
    model = Folder()

    def logits(relatives: Tensor, new: Tensor, hidden: Tensor) -> Tensor:
        added, bias = tell(model, F.one_hot(relatives, 4).float())
        x = model.letter(new.scatter(1, hidden, 4)) + model.column(torch.arange(12))
        x = x if added is None else x + added
        x = x + model.look(x, score_bias=bias)[0]
        return model.out(x.gather(1, hidden[..., None].expand(-1, -1, x.shape[-1])))[:, 0]

    def loss() -> Tensor:
        relatives, new, hidden = families(64)
        return F.cross_entropy(logits(relatives, new, hidden), new.gather(1, hidden)[:, 0])

    last = learn(model, loss, 300)
    relatives, new, hidden = families(1000)
    said = logits(relatives, new, hidden).argmax(-1)
    return last, share(said == new.gather(1, hidden)[:, 0])
