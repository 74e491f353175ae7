// Every head of every layer in small, one of them large.
const GAP = 22;

/** Side of a small map, and the height of all of them together. */
function strip(data, width) {
  const side = Math.min(64, width / data.heads - 12);
  return { side, height: data.weights.length * (side + GAP) + 12 };
}

/** The weights of a head, or the mean of a layer's heads for head −1. */
function chosen({ weights }, { layer, head }) {
  const heads = weights[layer];
  if (head >= 0) return heads[head];
  return heads[0].map((row, t) =>
    row.map((_, s) => heads.reduce((sum, one) => sum + one[t][s], 0) / heads.length),
  );
}

/** The cells of a head that weigh at least a share, as one path in a square. */
function small(weights, x, y, side, least) {
  const [h, w] = [side / weights.length, side / weights[0].length];
  const cells = weights.map((row, t) =>
    row.map((weight, s) => (weight >= least ? `M${x + w * s} ${y + h * t}h${w}v${h}h${-w}z` : "")),
  );
  return cells.flat().join("");
}

function draw({ data, state, width, height }) {
  const { side, height: top } = strip(data, width);
  const thumbs = data.weights.map((heads, layer) =>
    heads.map((weights, head) => {
      const [x, y] = [head * (side + 12), layer * (side + GAP) + 16];
      const on = layer === state.layer && head === state.head;
      const name = `${layer + 1}·${head + 1}`;
      const at = { "data-layer": layer, "data-head": head };
      return [
        words(x, y - 4, name, { class: on ? "attn-strong" : "attn-muted" }),
        svg("rect", { class: `attn-thumb ${on && "attn-on"}`, x, y, width: side, height: side, ...at }),
        [0.15, 0.4].map((least) =>
          svg("path", { class: "attn-ink", d: small(weights, x, y, side, least) }),
        ),
      ];
    }),
  );
  const map = { ...data, weights: chosen(data, state) };
  return [thumbs, heat({ ...map, y: top, width, height: height - top - 4, focus: state })];
}

function say({ data, state }) {
  const which = state.head < 0 ? "mean of the heads" : `head ${state.head + 1}`;
  return `Layer ${state.layer + 1}, ${which}: ${sayRow(chosen(data, state), data, state)}`;
}

export default {
  render(view) {
    const { weights, heads } = view.model.get("data");
    const layers = weights.map((_, i) => [i, String(i + 1)]);
    const names = Array.from({ length: heads }, (_, i) => [i, String(i + 1)]);
    return stage(view, {
      draw,
      say,
      paper: { role: "application", tabindex: 0 },
      controls: [
        choice("layer", "layer", layers),
        choice("head", "head", [...names, [-1, "mean of all"]]),
      ],
      on: {
        ...mapListeners,
        click(event, { set }) {
          const thumb = event.target.closest("[data-layer]");
          if (thumb) set({ layer: Number(thumb.dataset.layer), head: Number(thumb.dataset.head) });
        },
      },
    });
  },
};
