// The worked translation, one target word at a time: weights, context vector, word.
const vector = (numbers) => `(${numbers.map((x) => number(x, 1).replace(/\.0$/, "")).join(", ")})`;

function draw({ data, state, width }) {
  const step = state.step;
  const weights = data.weights[step];
  const wide = width / data.source.length;
  const middle = (j) => wide * (j + 0.5);
  const start = room(data.vocabulary, width * 0.3);
  const length = width - start - 50;
  const best = data.probabilities[step].indexOf(Math.max(...data.probabilities[step]));
  const written = data.written.slice(0, step + 1).join(" ");
  return [
    data.source.map((word, j) => {
      const chip = (middle(j) * 2 + width / 2) / 3; // a third of the way to the context
      const line = { x1: middle(j), x2: width / 2, y1: 44, y2: 112 };
      return [
        svg("line", { class: "attn-link", ...line, "stroke-width": 0.5 + 9 * weights[j] }),
        words(middle(j), 16, word, { anchor: "middle", class: "attn-strong" }),
        words(middle(j), 34, vector(data.states[j]), MIDDLE),
        svg("rect", { class: "attn-chip", x: chip - 17, y: 58, width: 34, height: 18 }),
        words(chip, 71, number(weights[j], 1), { anchor: "middle" }),
      ];
    }),
    svg("rect", { class: "attn-chip", x: width / 2 - 62, y: 104, width: 124, height: 26 }),
    words(width / 2, 121, `c = ${vector(data.contexts[step])}`, {
      anchor: "middle",
      class: "attn-strong",
    }),
    words(0, 158, "probability of each word", { class: "attn-muted" }),
    data.vocabulary.map((word, v) => {
      const p = data.probabilities[step][v];
      const y = 168 + 24 * v;
      const kind = v === best ? "attn-bar attn-warm" : "attn-bar";
      return [
        words(0, y + 14, word, { class: v === best ? "attn-strong" : "attn-label" }),
        svg("rect", { class: kind, x: start, y, height: 18, width: Math.max(1, length * p) }),
        words(start + length * p + 5, y + 14, number(p)),
      ];
    }),
    words(0, 190 + 24 * data.vocabulary.length, `written: ${written}`, { class: "attn-strong" }),
  ];
}

function say({ data, state }) {
  const step = state.step;
  const terms = data.weights[step].map(
    (weight, j) => `${number(weight, 1)} × ${vector(data.states[j])}`,
  );
  return (
    `Step ${step + 1}: ${terms.join(" + ")} = ${vector(data.contexts[step])}. ` +
    `“${data.written[step]}” has probability ${number(Math.max(...data.probabilities[step]))}.`
  );
}

export default {
  render(view) {
    const { written } = view.model.get("data");
    return stage(view, {
      draw,
      say,
      controls: [steps("step", written.length - 1, (now, end) => `word ${now + 1} of ${end + 1}`)],
    });
  },
};
