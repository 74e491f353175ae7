// How the weights of a row are spread, by the size of the keys: unscaled beside scaled.
const ROW = 22;

function panel(title, weights, entropy, x, width) {
  const length = width - 62;
  return [
    words(x, 16, title, { class: "attn-strong" }),
    weights.map((weight, i) => {
      const y = 28 + ROW * i;
      const long = Math.max(1, length * weight);
      return [
        words(x, y + 13, `${i + 1}.`, { class: "attn-muted" }),
        svg("rect", { class: "attn-bar", x: x + 20, y, height: ROW - 5, width: long }),
        words(x + 24 + long, y + 13, number(weight, 2)),
      ];
    }),
    words(x, 46 + ROW * weights.length, `entropy ${number(entropy, 2)}`),
  ];
}

function draw({ data, state, width }) {
  const half = (width - 24) / 2;
  return ["unscaled", "scaled"].map((kind, i) => {
    const { weights, entropies } = data[kind];
    const title = kind === "scaled" ? "scores / √d_k" : "scores as they are";
    return panel(title, weights[state.at], entropies[state.at], i * (half + 24), half);
  });
}

function say({ data, state }) {
  const heaviest = ({ weights }) => number(weights[state.at][0], 2);
  const [plain, scaled] = [data.unscaled, data.scaled].map(heaviest);
  return (
    `d_k = ${data.sizes[state.at]}: the heaviest of ${data.unscaled.weights[0].length} keys has ` +
    `${plain} of the weight on average without scaling, ${scaled} with it.`
  );
}

export default {
  render(view) {
    const { sizes } = view.model.get("data");
    const text = (at) => String(sizes[at]);
    return stage(view, {
      draw,
      say,
      controls: [range("at", "key size d_k", { min: 0, max: sizes.length - 1, step: 1, text })],
    });
  },
};
