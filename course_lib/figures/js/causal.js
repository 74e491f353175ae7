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
  const most = 120 + 58 * rows.length; // a cell need not be wider than its number
  const box = { rows, columns: rows, y: 20, width: Math.min(width, most), height: height - 48 };
  const { left, top, wide, high } = grid(box);
  const frame = { x: left, y: top + high * first, width: wide * n, height: high * (n - first) };
  return [
    words(0, 14, "query ↓   key →", { class: "attn-muted" }),
    heat({
      ...box,
      weights: data.weights,
      shown: (row, column) => row < n && column <= row && row >= first,
    }),
    svg("rect", { class: "attn-frame", ...frame }),
    words(0, height - 8, `read so far: ${rows.slice(0, n).join(" ")}`),
  ];
}

function say({ state }) {
  const n = state.step + 1;
  const { now, all } = counts(n, state.cached);
  const keys = state.cached ? 1 : n;
  const ones = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
  return (
    `Step ${n}, ${state.cached ? "with the cache" : "without a cache"}: ${ones(now, "score")} ` +
    `and keys and values for ${ones(keys, "word")}; ${ones(all, "score")} since the start.`
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
        choice("cached", "cache", [
          [true, "keys and values kept"],
          [false, "none"],
        ]),
      ],
    });
  },
};
