// The book's Transformers: the translator of course_lib.transformer.EncoderDecoder, and the language
// model LanguageModel, both with sinusoids, pre-norm blocks and ReLU. The tensors have their names.

/** The vector of a position: sines and cosines of ever slower turns. */
const sinusoid = (t, d) =>
  Float32Array.from({ length: d }, (_unused, i) => {
    const angle = t / 10000 ** ((i - (i % 2)) / d);
    return i % 2 ? Math.cos(angle) : Math.sin(angle);
  });

class TransformerStack {
  constructor(model) {
    const { heads, layers, causal } = model;
    Object.assign(this, { tensors: unpack(model), heads, layers, causal });
  }

  part(name, x) {
    return linear(this.tensors[`${name}.weight`], x, this.tensors[`${name}.bias`]);
  }

  /** LayerNorm: mean zero, size one, then a learned scale and shift. */
  norm(name, x) {
    const [scale, shift] = ["weight", "bias"].map((kind) => this.tensors[`${name}.${kind}`].values);
    const mean = x.reduce((sum, one) => sum + one, 0) / x.length;
    const variance = x.reduce((sum, one) => sum + (one - mean) ** 2, 0) / x.length;
    return x.map((one, i) => ((one - mean) / Math.sqrt(variance + 1e-5)) * scale[i] + shift[i]);
  }

  project(name, x) {
    return { key: this.part(`${name}.W_k`, x), value: this.part(`${name}.W_v`, x) };
  }

  /** One query over projected places: the output, and the weights of each head. */
  attend(name, x, places) {
    const query = this.part(`${name}.W_q`, x);
    const size = query.length / this.heads;
    const context = new Float32Array(query.length);
    const weights = Array.from({ length: this.heads }, (_unused, head) => {
      const cut = (vector) => vector.subarray(head * size, (head + 1) * size);
      const mine = softmax(places.map(({ key }) => dot(cut(key), cut(query)) / Math.sqrt(size)));
      context.set(weightedSum(mine, places.map(({ value }) => cut(value))), head * size);
      return mine;
    });
    return { out: this.part(`${name}.W_o`, context), weights };
  }

  feed(name, x) {
    const inside = this.part(`${name}.feed_forward.0`, this.norm(`${name}.feed_norm`, x));
    return plus(x, this.part(`${name}.feed_forward.3`, inside.map((one) => Math.max(0, one))));
  }

  embed(name, token, t) {
    const row = rowOf(this.tensors[`${name}.tokens.weight`], token);
    const place = sinusoid(t, row.length);
    return row.map((one, i) => Math.sqrt(row.length) * one + place[i]);
  }

  /** One more token through a causal stack whose earlier keys and values are `own`, by layer. */
  next(name, x, own, memory) {
    let stream = x;
    const [seen, looked, kept] = [[], [], []];
    for (let i = 0; i < this.layers; i += 1) {
      const layer = `${name}.layers.${i}`;
      const inside = this.norm(`${layer}.self_norm`, stream);
      kept.push([...own[i], this.project(`${layer}.self_attention`, inside)]);
      const self = this.attend(`${layer}.self_attention`, inside, kept[i]);
      stream = plus(stream, self.out);
      seen.push(...self.weights);
      if (memory) {
        const asks = this.norm(`${layer}.cross_norm`, stream);
        const cross = this.attend(`${layer}.cross_attention`, asks, memory[i]);
        stream = plus(stream, cross.out);
        looked.push(...cross.weights);
      }
      stream = this.feed(layer, stream);
    }
    return { x: this.norm(`${name}.norm`, stream), own: kept, weights: memory ? looked : seen };
  }

  /** Places that all see each other: their vectors, and each head's weights of the last one. */
  through(name, vectors) {
    let xs = vectors;
    const weights = [];
    for (let i = 0; i < this.layers; i += 1) {
      const layer = `${name}.layers.${i}`;
      const inside = xs.map((x) => this.norm(`${layer}.self_norm`, x));
      const places = inside.map((x) => this.project(`${layer}.self_attention`, x));
      const outs = inside.map((x) => this.attend(`${layer}.self_attention`, x, places));
      weights.push(...outs.at(-1).weights);
      xs = xs.map((x, t) => this.feed(layer, plus(x, outs[t].out)));
    }
    return { xs: xs.map((x) => this.norm(`${name}.norm`, x)), weights };
  }

  nothing() {
    return Array.from({ length: this.layers }, () => []);
  }

  logits(name, x) {
    return linear(this.tensors[`${name}.tokens.weight`], x);
  }
}

class TransformerTranslator extends TransformerStack {
  /** The memory of the source, projected for each layer of the decoder. */
  read(tokens) {
    const xs = tokens.map((token, t) => this.embed("source_embedding", token, t));
    const memory = this.through("encoder", xs).xs;
    return this.nothing().map((_unused, i) =>
      memory.map((x) => this.project(`decoder.layers.${i}.cross_attention`, x)));
  }

  write(tokens, { limit = 2 * tokens.length + 10 } = {}) {
    const memory = this.read(tokens);
    const step = (token, { own, t }) => {
      const found = this.next("decoder", this.embed("target_embedding", token, t), own, memory);
      const state = { own: found.own, t: t + 1 };
      return { logits: this.logits("target_embedding", found.x), state, weights: found.weights };
    };
    return greedy(step, { own: this.nothing(), t: 0 }, limit);
  }
}

class LanguageModelWriter extends TransformerStack {
  /** One more token. Without the mask every place is computed anew: the earlier ones see it too. */
  step(token, { own, read }) {
    const all = [...read, token];
    const embed = (one, t) => this.embed("embedding", one, t);
    const found = this.causal
      ? this.next("stack", embed(token, read.length), own)
      : this.through("stack", all.map(embed));
    const x = this.causal ? found.x : found.xs.at(-1);
    return { logits: this.logits("embedding", x), state: { own: found.own, read: all }, weights: found.weights };
  }

  /** Goes on from a beginning: each row of weights is over <start>, the beginning and what came. */
  write(tokens, { limit = 16 } = {}) {
    const step = (token, state) => this.step(token, state);
    const read = [START, ...tokens];
    const last = read.pop();
    const first = read.reduce((state, token) => step(token, state).state, { own: this.nothing(), read: [] });
    return greedy(step, first, limit, last);
  }
}
