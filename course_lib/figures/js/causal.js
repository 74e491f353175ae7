// Writing word by word under the causal mask: which scores a step computes, with a cache or without.

/** Scores of step n (from 1) and of all steps up to it. */
function counts(n, cached) {
  const now = cached ? n : (n * (n + 1)) / 2;
  const all = cached ? (n * (n + 1)) / 2 : (n * (n + 1) * (n + 2)) / 6;
  return { now, all };
}

function draw({ data, state, width, height }) {
  const n = state.step + 1;
  const rows = data.words;
  const first = state.cached ? n - 1 : 0; // the first row that this step computes
  const side = Math.min(width, 30 + 58 * rows.length);
  const left = room(rows, side * 0.3);
  const wide = (side - left) / rows.length;
  const upright = room(rows, 999) - 6 <= wide;
  const top = 20 + (upright ? 24 : 66);
  const high = (height - 28 - top) / rows.length;
  return [
    words(0, 14, "query ↓   key →", { class: "attn-muted" }),
    heat({
      weights: data.weights,
      rows,
      columns: rows,
      y: 20,
      width: side,
      height: height - 48,
      shown: (row, column) => row < n && column <= row && row >= first,
    }),
    svg("rect", { class: "attn-frame", x: left, y: top + high * first, width: wide * n, height: high * (n - first) }),
    words(0, height - 8, `read so far: ${rows.slice(0, n).join(" ")}`),
  ];
}

function say({ state }) {
  const n = state.step + 1;
  const { now, all } = counts(n, state.cached);
  const keys = state.cached ? 1 : n;
  const ones = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
  return (
    `Step ${n}, ${state.cached ? "with the cache" : "without a cache"}: ` +
    `${ones(now, "score")} and keys and values for ${ones(keys, "word")}; ${ones(all, "score")} since the start.`
  );
}

export default {
  render(view) {
    const last = view.model.get("data").words.length - 1;
    return stage(view, {
      draw,
      say,
      controls: [
        steps("step", last, (now) => `word ${now + 1} of ${last + 1}`),
        choice("cached", "keys and values", [
          [true, "kept in a cache"],
          [false, "computed anew"],
        ]),
      ],
    });
  },
};
