"""Four tasks on made pictures, each trained with a part that the page writes.

Each task is a function of that part. It trains a new model and returns the mean loss of the last 20
steps and what the model got right on new examples. The data are made by rule, so that the right
answers are known.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from book.helpers.small_trials import Result, draw, learn, share, whole
from course_lib.gate.attention import scaled_dot_product_attention
from course_lib.modules.multi_head import MultiHeadAttention

KINDS = torch.randn(4, 8, generator=torch.Generator().manual_seed(1))
KINDS[0] = 0.0  # an empty cell


def scenes(n: int) -> tuple[Tensor, Tensor, Tensor]:
    """Cells (n, 25, 8), kinds (n, 3) with 0 for none, places (n, 3)."""
    places = torch.rand(n, 25, generator=draw).argsort(1)[:, :3]
    number = torch.randint(1, 4, (n, 1), generator=draw)
    kinds = torch.randint(1, 4, (n, 3), generator=draw) * (torch.arange(3) < number)
    held = torch.zeros(n, 25, dtype=torch.long).scatter(1, places, kinds)
    return KINDS[held] + 0.3 * torch.randn(n, 25, 8, generator=draw), kinds, places


class Finder(nn.Module):
    """Three learned queries, each of which names a kind and points at a cell."""

    def __init__(self, d: int = 32) -> None:
        super().__init__()
        self.asks = nn.Parameter(torch.randn(3, d))
        self.place = nn.Parameter(0.3 * torch.randn(25, d))
        self.see, self.kind = nn.Linear(8, d), nn.Linear(d, 4)
        self.look, self.among = (MultiHeadAttention(d, 4) for _ in "12")
        self.point = MultiHeadAttention(d, 1)

    def forward(self, cells: Tensor) -> tuple[Tensor, Tensor]:
        x = torch.relu(self.see(cells)) + self.place
        q = self.asks.expand(len(x), -1, -1)
        q = q + self.look(q, x)[0]
        q = q + self.among(q)[0]  # the queries see each other
        found, weights = self.point(q, x, need_weights=True)
        return self.kind(q + found), weights[:, 0]  # (B, 3, 4), (B, 3, 25)


def costs(found: tuple[Tensor, Tensor], kinds: Tensor, places: Tensor) -> Tensor:
    """What it costs if query i answers for object j: (B, 3, 3)."""
    named = -found[0].log_softmax(-1)[:, :, None].expand(-1, -1, 3, -1)
    cost = named.gather(-1, kinds[:, None, :, None].expand(-1, 3, -1, 1))[..., 0]
    at = found[1].gather(-1, places[:, None].expand(-1, 3, -1))
    return cost - at.clamp(min=1e-6).log() * (kinds > 0)[:, None]


def objects(pairing: Callable[[Tensor, Tensor], Tensor]) -> Result:
    """`pairing(cost, places)` gives the loss (B,); places are 25 and more where no object is."""
    model = Finder()

    def loss() -> Tensor:
        cells, kinds, places = scenes(48)
        cost = costs(model(cells), kinds, places)
        return pairing(cost, places + 25 * (kinds == 0)).mean()

    last = learn(model, loss, 200)
    cells, kinds, places = scenes(1000)
    logits, weights = model(cells)
    said, at = logits.argmax(-1)[..., None], weights.argmax(-1)[..., None]
    right = ((said == kinds[:, None]) & (at == places[:, None])).any(1)
    return last, share(right[kinds > 0])


ROW, COLUMN = torch.meshgrid(torch.arange(16), torch.arange(16), indexing="ij")
TEXTURES = torch.stack([COLUMN % 2 * 2 - 1, (ROW * COLUMN) % 2 * 2 - 0.5, torch.ones(16, 16)])


def regions(n: int) -> tuple[Tensor, Tensor]:
    """Pictures (n, 1, 16, 16) and the masks of three textures (n, 3, 16, 16)."""
    masks = torch.zeros(n, 3, 16, 16)
    for half in (0, 1):  # one rectangle on the left, one on the right
        top, left = whole(4, n)[:, None, None], whole(4, n)[:, None, None]
        tall, wide = 6 + whole(6, n)[:, None, None], 3 + whole(2, n)[:, None, None]
        inside = (top <= ROW) & (top + tall > ROW)
        inside &= (8 * half + left <= COLUMN) & (8 * half + left + wide > COLUMN)
        masks[torch.arange(n), (whole(2, n) + half) % 3] += inside
    masks = masks.clamp(max=1)
    picture = (masks * TEXTURES).sum(1, keepdim=True)
    return picture + 0.3 * torch.randn(n, 1, 16, 16, generator=draw), masks


class Segmenter(nn.Module):
    """A convolution gives each pixel a vector, and one learned query asks for each texture."""

    def __init__(self, d: int = 16) -> None:
        super().__init__()
        layers = nn.Conv2d(1, d, 5, padding=2), nn.ReLU(), nn.Conv2d(d, d, 3, padding=1)
        self.see = nn.Sequential(*layers)
        self.asks = nn.Parameter(torch.randn(3, d))
        self.scale, self.shift = nn.Parameter(torch.ones(3, 1)), nn.Parameter(torch.zeros(3, 1))


def segmentation(decide: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Result:
    """`decide(scores, scale, shift)` gives a logit for each query and pixel, (B, 3, 256)."""
    model = Segmenter()

    def logits(picture: Tensor) -> Tensor:
        scores = model.asks @ model.see(picture).flatten(2)
        return decide(scores, model.scale, model.shift).unflatten(-1, (16, 16))

    def loss() -> Tensor:
        picture, masks = regions(32)
        return F.binary_cross_entropy_with_logits(logits(picture), masks)

    last = learn(model, loss, 200, 2e-2)
    picture, masks = regions(300)
    guess, truth = logits(picture) > 0, masks > 0
    return last, ((guess & truth).sum() / (guess | truth).sum()).item()


NONE = 5  # the sixth answer, beside five shapes


def questions(n: int, absent: bool = True) -> tuple[tuple[Tensor, ...], Tensor]:
    """Colours (n, 4), shapes (n, 4), the colour asked for (n,); the answers (n,).

    With `absent`, half of the questions ask for a colour that no region has.
    """
    colours = torch.rand(n, 5, generator=draw).argsort(1)  # the fifth is absent
    shapes, each = torch.randint(NONE, (n, 4), generator=draw), torch.arange(n)
    place = whole(8 if absent else 4, n).clamp(max=4)
    answers = torch.where(place < 4, shapes[each, place.clamp(max=3)], NONE)
    return (colours[:, :4], shapes, colours[each, place]), answers


class Answerer(nn.Module):
    """The colour asked for is the query, and the regions are keys and values."""

    def __init__(self, d: int = 24) -> None:
        super().__init__()
        self.colour, self.shape = nn.Embedding(5, d), nn.Embedding(5, d)
        self.W_q, self.W_k = nn.Linear(d, d), nn.Linear(d, d)
        self.answer, self.asked = nn.Linear(d, NONE + 1), nn.Embedding(5, d)

    def forward(self, colours: Tensor, shapes: Tensor, asked: Tensor) -> tuple[Tensor, Tensor]:
        region = self.colour(colours) + self.shape(shapes)
        q = self.W_q(self.asked(asked))[:, None]
        found, weights = scaled_dot_product_attention(q, self.W_k(region), region)
        assert weights is not None
        return self.answer(found[:, 0]), weights[:, 0]  # (B, 6), (B, 4)


Decide = Callable[[Tensor, Tensor, float], Tensor]


def question(taught: bool, decide: Decide) -> Result:
    """`decide(logits, weights, edge)` gives the answers (n,).

    With `taught`, half of the training asks for a colour that is not there. The edge is
    the hundredth with which most answers to 500 other questions are right.
    """
    model = Answerer()

    def loss() -> Tensor:
        asked, answers = questions(64, taught)
        return F.cross_entropy(model(*asked)[0], answers)

    last = learn(model, loss, 300)
    (asked, answers), (new, wanted) = questions(500), questions(1000)
    (logits, weights), (said, looked) = model(*asked), model(*new)
    edges = (i / 100 for i in range(101))
    edge = max(edges, key=lambda e: share(decide(logits, weights, e) == answers))
    return last, share(decide(said, looked, edge) == wanted)


MIX = torch.randn(10, 16, generator=torch.Generator().manual_seed(2))
NEW = torch.tensor([[0, 3], [2, 1], [4, 4]])  # colour, shape: not in training
EVERY = torch.cartesian_prod(torch.arange(5), torch.arange(5))
KNOWN = EVERY[~(EVERY[:, None] == NEW).all(-1).any(-1)]  # 22 combinations


class TwoEncoders(nn.Module):
    """One vector of a picture and one of a caption, both of length 1."""

    def __init__(self, d: int = 16) -> None:
        super().__init__()
        self.see = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, d))
        self.read = nn.EmbeddingBag(10, d, mode="sum")
        self.heat = nn.Parameter(torch.tensor(2.0))  # the log of 1 / temperature
        self.shift = nn.Parameter(torch.tensor(-4.0))

    def forward(self, shown: Tensor, captions: Tensor) -> Tensor:
        """The cosine of each picture with each caption."""
        both = F.one_hot(shown + torch.tensor([0, 5]), 10).sum(1).float()
        picture = both @ MIX + 0.3 * torch.randn(len(shown), 16, generator=draw)
        words = self.read(captions + torch.tensor([0, 5]))
        return F.normalize(self.see(picture), dim=-1) @ F.normalize(words, dim=-1).T


def captions(pair_loss: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Result:
    """`pair_loss(cosines, heat, shift)` of 22 pictures and 22 captions, right on the diagonal."""
    model = TwoEncoders()

    def loss() -> Tensor:
        batch = KNOWN[torch.randperm(22, generator=draw)]
        return pair_loss(model(batch, batch), model.heat.exp(), model.shift)

    last = learn(model, loss, 2000)
    asked = NEW.repeat(200, 1)
    best = model(asked, EVERY).argmax(-1)
    return last, share((EVERY[best] == asked).all(-1))
