"""Right answers to lab 1: other translators, which only do what is asked of every translator."""

import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, START, END = 0, 2, 3


class InBahdanausOrder(nn.Module):
    """Bahdanau's order: the state before a step asks, and what it finds goes into the step."""

    def __init__(self, source_size, target_size, embedding_dim, hidden_dim):
        super().__init__()
        e, d = embedding_dim, hidden_dim
        self.E_x, self.E_y = nn.Embedding(source_size, e), nn.Embedding(target_size, e)
        self.reader = nn.GRU(e, d, batch_first=True, bidirectional=True)
        self.W_a, self.U_a = nn.Linear(d, d, bias=False), nn.Linear(2 * d, d, bias=False)
        self.v_a = nn.Linear(d, 1, bias=False)
        self.first = nn.Linear(d, d)
        self.cell = nn.GRUCell(e + 2 * d, d)
        self.out = nn.Linear(d + 2 * d + e, target_size)

    def forward(self, source, inputs):
        mask = source.ne(PAD)
        packed = pack_padded_sequence(
            self.E_x(source), mask.sum(1), batch_first=True, enforce_sorted=False
        )
        h, last = self.reader(packed)
        h = pad_packed_sequence(h, batch_first=True, total_length=source.shape[1])[0]
        keys, s = self.U_a(h), torch.tanh(self.first(last[1]))
        logits, rows = [], []
        for word in self.E_y(inputs).unbind(1):
            e = self.v_a(torch.tanh(self.W_a(s)[:, None] + keys)).squeeze(-1)
            alpha = e.masked_fill(~mask, float("-inf")).softmax(-1)
            c = torch.einsum("bs,bsm->bm", alpha, h)
            s = self.cell(torch.cat([word, c], -1), s)
            logits.append(self.out(torch.cat([s, c, word], -1)))
            rows.append(alpha)
        return torch.stack(logits, 1), torch.stack(rows, 1)


class ForwardsAlone(nn.Module):
    """An encoder that reads forwards alone: padding stands behind every state that is used."""

    def __init__(self, source_size, target_size, embedding_dim, hidden_dim):
        super().__init__()
        self.read = nn.Embedding(source_size, embedding_dim, padding_idx=PAD)
        self.hear = nn.Embedding(target_size, embedding_dim, padding_idx=PAD)
        self.encoder = nn.GRU(embedding_dim, hidden_dim, batch_first=True)
        self.decoder = nn.GRU(embedding_dim, hidden_dim, batch_first=True)
        self.general = nn.Linear(hidden_dim, hidden_dim)
        self.join = nn.Linear(2 * hidden_dim, hidden_dim)
        self.say = nn.Linear(hidden_dim, target_size)

    def forward(self, source, inputs):
        memory, _ = self.encoder(self.read(source))
        n = (source != PAD).sum(dim=1)
        last = memory[torch.arange(len(source)), n - 1]
        states, _ = self.decoder(self.hear(inputs), last.unsqueeze(0).contiguous())
        scores = torch.bmm(self.general(states), memory.transpose(1, 2))
        scores = scores + torch.where(source == PAD, -1e9, 0.0)[:, None]
        weights = F.softmax(scores, dim=2)
        context = torch.bmm(weights, memory)
        return self.say(self.join(torch.cat((states, context), 2)).tanh()), weights


class WithLongMemory(nn.Module):
    """LSTMs, dropout, and scores without a matrix; the decoder begins with zeros."""

    def __init__(self, source_size, target_size, embedding_dim, hidden_dim):
        super().__init__()
        self.x = nn.Embedding(source_size, embedding_dim)
        self.y = nn.Embedding(target_size, embedding_dim)
        self.encoder = nn.LSTM(embedding_dim, hidden_dim, bidirectional=True, batch_first=True)
        self.decoder = nn.LSTM(embedding_dim, 2 * hidden_dim, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(4 * hidden_dim, target_size)

    def forward(self, source, inputs):
        n = (source != PAD).sum(1)
        packed = pack_padded_sequence(
            self.drop(self.x(source)), n, batch_first=True, enforce_sorted=False
        )
        memory, _ = pad_packed_sequence(
            self.encoder(packed)[0], batch_first=True, total_length=source.shape[1]
        )
        states, _ = self.decoder(self.drop(self.y(inputs)))
        scores = torch.einsum("btd,bsd->bts", states, memory) / states.shape[-1] ** 0.5
        weights = scores.masked_fill((source == PAD).unsqueeze(1), -torch.inf).softmax(-1)
        return self.out(torch.cat([weights @ memory, states], -1)), weights


class InALoop(ForwardsAlone):
    def forward(self, source, inputs):
        memory, _ = self.encoder(self.read(source))
        mask = source != PAD
        s = memory[range(len(source)), mask.sum(1) - 1]
        logits, weights = [], []
        for t in range(inputs.shape[1]):
            s = self.decoder(self.hear(inputs[:, t : t + 1]), s[None])[0][:, 0]
            exps = torch.exp((self.general(s)[:, None] * memory).sum(-1)) * mask
            weights.append(exps / exps.sum(-1, keepdim=True))
            context = (weights[-1][..., None] * memory).sum(1)
            logits.append(self.say(torch.tanh(self.join(torch.cat([s, context], -1)))))
        return torch.stack(logits, dim=1), torch.stack(weights, dim=1)


class TwoHeads(ForwardsAlone):
    """Two heads look, and their mean is the map."""

    def forward(self, source, inputs):
        memory, _ = self.encoder(self.read(source))
        mask = source != PAD
        last = memory[torch.arange(len(source)), mask.sum(1) - 1]
        states, _ = self.decoder(self.hear(inputs), last[None])
        asks, keys = (
            x.unflatten(-1, (2, -1)).transpose(1, 2) for x in (self.general(states), memory)
        )
        scores = (asks @ keys.mT).masked_fill(~mask[:, None, None], -torch.inf)
        weights = scores.softmax(-1)  # (B, 2, T, S)
        context = (weights @ keys).transpose(1, 2).flatten(2)
        said = torch.tanh(self.join(torch.cat([states, context], -1)))
        return self.say(said), self.shown(weights)

    def shown(self, weights):
        return weights.mean(1).detach()


def step_from_the_library(model, optimizer, source, target, clip):
    """The shift by hand, and the loss of torch, which leaves labels out itself."""
    full = F.pad(target, (1, 1), value=PAD)
    full[:, 0] = START
    inputs, labels = full[:, :-1], full[:, 1:].clone()
    labels.scatter_(1, (target != PAD).sum(1, keepdim=True), END)
    model.train()
    logits, _ = model(source, inputs)
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=PAD)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=clip)
    optimizer.step()
    return float(loss)


def step_that_forgets_at_its_end(model, optimizer, source, target, clip):
    """The gradient is shortened by hand, and forgotten as soon as it is used."""
    model.train(True)
    batch, width = target.shape
    inputs = torch.cat([torch.full((batch, 1), START), target], dim=1)
    labels = torch.zeros(batch, width + 1, dtype=torch.int64)
    for row, words in zip(labels, target, strict=True):
        n = int(torch.count_nonzero(words))
        row[:n], row[n] = words[:n], END
    log_p = model(source, inputs)[0].log_softmax(-1)
    picked = log_p.gather(-1, labels[..., None])[..., 0]
    loss = -(picked * (labels != PAD)).sum() / (labels != PAD).sum()
    loss.backward()
    length = math.sqrt(sum(float((p.grad**2).sum()) for p in model.parameters()))
    for p in model.parameters():
        p.grad *= min(1.0, clip / (length + 1e-6))
    optimizer.step()
    model.zero_grad()
    return loss.item()


def step_on_the_words_alone(model, optimizer, source, target, clip):
    """Padding is left out before the loss sees it."""
    lengths = (target != PAD).sum(1)
    inputs = F.pad(target, (1, 0), value=START)
    labels = F.pad(target, (0, 1), value=PAD)
    labels[range(len(labels)), lengths] = END
    model.train()
    optimizer.zero_grad()
    logits = model(source, inputs)[0][labels != PAD]
    loss = F.nll_loss(logits.log_softmax(-1), labels[labels != PAD])
    loss.backward()
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), clip)
    optimizer.step()
    return loss.item()


@torch.no_grad()
def translate_by_state(model, source, max_length):
    """With the greedy search of exercise 06: what was said so far is its state."""

    def step(tokens, said):
        said = torch.cat([said, tokens[:, None]], dim=1)
        return model.eval()(source, said)[0][:, -1], said

    tokens, said = torch.full((len(source),), START), source[:, :0]
    ended, rows = torch.zeros(len(source), dtype=torch.bool), []
    while len(rows) < max_length and not ended.all():
        logits, said = step(tokens, said)
        tokens = logits.argmax(-1).masked_fill(ended, END)
        ended = ended | (tokens == END)
        rows.append(tokens)
    return torch.stack(rows, dim=1)


def translate_in_place(model, source, max_length):
    """Room for all words at once; a column is filled at each step."""
    model.eval()
    said = torch.full((len(source), max_length + 1), END)
    said[:, 0] = START
    for t in range(max_length):
        with torch.inference_mode():
            logits, _ = model(source, said[:, : t + 1])
        running = (said[:, 1 : t + 1] != END).all(1)
        said[running, t + 1] = logits[running, t].argmax(-1)
        if (said[:, 1 : t + 2] == END).any(1).all():
            break
    return said[:, 1 : t + 2].clone()


def translate_with_where(model, source, max_length):
    was = torch.is_grad_enabled()
    model.train(False)
    torch.set_grad_enabled(False)
    said = torch.full((source.shape[0], 1), START)
    while said.shape[1] <= max_length:
        word = model(source, said)[0][:, -1, :].max(dim=-1).indices
        word = torch.where((said == END).any(1), END, word)
        said = torch.hstack([said, word.unsqueeze(1)])
        if bool((said == END).any(1).all()):
            break
    torch.set_grad_enabled(was)
    return said[:, 1:]


ALTERNATIVES = {
    "Translator": [InBahdanausOrder, ForwardsAlone, WithLongMemory, InALoop, TwoHeads],
    "train_step": [
        step_from_the_library,
        step_that_forgets_at_its_end,
        step_on_the_words_alone,
    ],
    "translate": [translate_by_state, translate_in_place, translate_with_where],
}
