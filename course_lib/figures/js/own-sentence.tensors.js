// Numbers of a trained model in a page, and the few operations that all models are made of.
// What parameters.py packs: `bytes` is base64 of one tensor after the other, in the order of `tensors`:
// [name, rows, columns]. A row has a scale and its numbers in steps of it: a float32 and int8. Where a 4
// stands behind them, the scale is a byte k, 2^(−k/16), and a byte has two numbers, each 7 too large.

/** The tensors by name: { rows, columns, values }. */
function unpack({ tensors, bytes }) {
  const held = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
  const found = {};
  let at = 0;
  const next = (count) => held.slice(at, (at += count));
  for (const [name, rows, columns, bits] of tensors) {
    const count = rows * columns;
    const values = new Float32Array(count);
    let scales;
    if (bits === 4) {
      scales = Float32Array.from(next(rows), (k) => 2 ** (-k / 16));
      const halves = next(Math.ceil(count / 2));
      for (let i = 0; i < count; i += 1) values[i] = ((halves[i >> 1] >> (i % 2 ? 0 : 4)) & 15) - 7;
    } else {
      scales = new Float32Array(next(4 * rows).buffer);
      values.set(new Int8Array(next(count).buffer));
    }
    for (let i = 0; i < count; i += 1) values[i] *= scales[Math.floor(i / columns)];
    found[name] = { rows, columns, values };
  }
  return found;
}

/** W x + b, the bias where there is one. */
function linear({ rows, columns, values }, x, bias) {
  const y = new Float32Array(rows);
  for (let i = 0, at = 0; i < rows; i += 1) {
    let sum = bias ? bias.values[i] : 0;
    for (let j = 0; j < columns; j += 1, at += 1) sum += values[at] * x[j];
    y[i] = sum;
  }
  return y;
}

const rowOf = ({ columns, values }, i) => values.subarray(i * columns, (i + 1) * columns);
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const joined = (a, b) => Float32Array.from([...a, ...b]);
const plus = (a, b) => a.map((x, i) => x + b[i]);

/** Σ weights[j] · vectors[j]: what attention returns. */
function weightedSum(weights, vectors) {
  const sum = new Float32Array(vectors[0].length);
  weights.forEach((weight, j) => vectors[j].forEach((x, i) => (sum[i] += weight * x)));
  return sum;
}

const [PAD, UNK, START, END] = [0, 1, 2, 3];

/** log p of every next word; <pad> and <start> are never written. */
function logProbabilities(logits) {
  const scores = Float64Array.from(logits);
  scores[PAD] = scores[START] = -Infinity;
  const top = Math.max(...scores);
  const whole = Math.log(scores.reduce((sum, score) => sum + Math.exp(score - top), 0));
  return scores.map((score) => score - top - whole);
}

/**
 * The likeliest next word, word after word: [{ token, weights }]. `step(token, state)` returns
 * { logits, state, weights }; `limit` ends a sentence that does not, `first` is read first.
 */
function greedy(step, state, limit, first = START) {
  const written = [];
  let token = first;
  while (written.length < limit) {
    const next = step(token, state);
    const scores = logProbabilities(next.logits);
    token = scores.indexOf(Math.max(...scores));
    if (token === END) break;
    state = next.state;
    written.push({ token, weights: next.weights });
  }
  return written;
}

/** The best of `width` beginnings, a long one not punished for its length, as `beam_search` does. */
function beam(step, state, limit, width, penalty = 0.6) {
  let open = [{ total: 0, token: START, state, written: [] }];
  const ended = [];
  for (let length = 1; length <= limit && ended.length < width && open.length; length += 1) {
    const found = [];
    for (const one of open) {
      const next = step(one.token, one.state);
      logProbabilities(next.logits).forEach((p, token) => {
        if (p === -Infinity) return;
        const written = { before: one.written, token, weights: next.weights };
        found.push({ total: one.total + p, token, state: next.state, written });
      });
    }
    found.sort((a, b) => b.total - a.total);
    for (const one of found.slice(0, width)) {
      const score = one.total / ((5 + length) / 6) ** penalty;
      if (one.token === END && ended.length < width) ended.push({ score, written: one.written.before });
    }
    open = found.slice(0, 2 * width).filter(({ token }) => token !== END).slice(0, width);
  }
  const [best] = ended.length ? ended.sort((a, b) => b.score - a.score) : open;
  const words = [];
  for (let at = best.written; at.before; at = at.before) words.unshift(at);
  return words.map(({ token, weights }) => ({ token, weights }));
}
