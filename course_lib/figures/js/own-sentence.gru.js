// The book's recurrent translators: GRU encoder, attention or none, GRU decoder in Luong's order.
// The names of the tensors are those of course_lib.translation.Seq2Seq.

const sigmoid = (x) => 1 / (1 + Math.exp(-x));

class RecurrentTranslator {
  constructor(model) {
    this.tensors = unpack(model);
    this.score = model.score; // "none", "additive", "general" or "dot"
  }

  part(name, x, kind = "") {
    return linear(this.tensors[`${name}.weight${kind}`], x, this.tensors[`${name}.bias${kind}`]);
  }

  /** One step of a GRU, in PyTorch's order of gates: reset, update, new. */
  gru(name, x, h, way = "") {
    const [reads, keeps] = [this.part(name, x, `_ih_l0${way}`), this.part(name, h, `_hh_l0${way}`)];
    const d = h.length;
    return h.map((old, i) => {
      const reset = sigmoid(reads[i] + keeps[i]);
      const update = sigmoid(reads[d + i] + keeps[d + i]);
      return (1 - update) * Math.tanh(reads[2 * d + i] + reset * keeps[2 * d + i]) + update * old;
    });
  }

  run(xs, way) {
    let h = new Float32Array(this.tensors[`encoder.rnn.weight_hh_l0${way}`].columns);
    return xs.map((x) => (h = this.gru("encoder.rnn", x, h, way)));
  }

  /** The decoder's first state, the memory h_1 … h_S, and of it what a score needs once. */
  read(tokens) {
    const xs = tokens.map((token) => rowOf(this.tensors["encoder.embedding.weight"], token));
    let memory = this.run(xs, "");
    let last = memory.at(-1);
    if ("encoder.rnn.weight_hh_l0_reverse" in this.tensors) {
      const back = this.run([...xs].reverse(), "_reverse").reverse();
      last = joined(last, back[0]);
      memory = memory.map((h, j) => joined(h, back[j]));
    }
    const matrix = { additive: "U_a", general: "W_a" }[this.score];
    const keys = matrix ? memory.map((h) => this.part(`decoder.attention.${matrix}`, h)) : memory;
    return { hidden: this.part("decoder.W_s", last).map(Math.tanh), memory, keys };
  }

  /** How much a state looks at each source word. */
  look(s, keys) {
    if (this.score !== "additive") return softmax(keys.map((key) => dot(key, s)));
    const asked = this.part("decoder.attention.W_a", s);
    const v = this.tensors["decoder.attention.v_a.weight"].values;
    return softmax(keys.map((key) => dot(plus(key, asked).map(Math.tanh), v)));
  }

  step(token, { hidden, memory, keys }) {
    const x = rowOf(this.tensors["decoder.embedding.weight"], token);
    const s = this.gru("decoder.rnn", x, hidden);
    const weights = this.score === "none" ? null : this.look(s, keys);
    const seen = weights ? joined(weightedSum(weights, memory), s) : s;
    const logits = this.part("decoder.W_o", this.part("decoder.W_c", seen).map(Math.tanh));
    return { logits, state: { hidden: s, memory, keys }, weights };
  }

  /** Tokens read → [{ token, weights }]; with a width, the best of so many beginnings. */
  write(tokens, { limit = 2 * tokens.length + 10, width = 1 } = {}) {
    const step = (token, state) => this.step(token, state);
    const first = this.read(tokens);
    return width > 1 ? beam(step, first, limit, width) : greedy(step, first, limit);
  }
}
