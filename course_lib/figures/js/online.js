// Online softmax, block by block: the running maximum, the running sum, and the factor between.

const size = (data, state) => data.sizes[state.size];

function draw({ data, state, width, height }) {
  const block = size(data, state);
  const run = data.runs[state.size];
  const done = state.step; // blocks that have been read
  const wide = width / data.scores.length;
  const lowest = Math.min(0, ...data.scores);
  const span = Math.max(...data.scores) - lowest || 1; // all scores equal, and none above 0
  const y = (score) => 150 - ((score - lowest) / span) * 110;
  const line = (i, text, kind = "attn-label") => words(0, height - 84 + 24 * i, text, { class: kind });
  const m = done ? run.maxima[done - 1] : 0;
  const bars = data.scores.map((score, i) => {
    const of = Math.floor(i / block) + 1;
    const kind = of > done ? "attn-later" : of === done ? "attn-bar attn-warm" : "attn-bar";
    const box = { x: wide * i + 6, width: wide - 12, y: Math.min(y(0), y(score)) };
    const weight = done === run.maxima.length && number(data.weights[i]);
    return [
      svg("rect", { class: kind, ...box, height: Math.max(2, Math.abs(y(score) - y(0))) }),
      words(wide * (i + 0.5), Math.min(y(0), y(score)) - 6, number(score, 1), MIDDLE),
      weight && words(wide * (i + 0.5), 192, weight, { anchor: "middle", class: "attn-strong" }),
    ];
  });
  const blocks = run.maxima.map((_, i) => {
    const kind = i + 1 === done ? "attn-frame" : "attn-block";
    const count = Math.min(block, data.scores.length - block * i);
    const across = { x: wide * block * i + 2, width: wide * count - 4 };
    return svg("rect", { class: kind, ...across, y: 20, height: 150 });
  });
  const level = svg("line", { class: "attn-level", x1: 0, x2: width, y1: y(m), y2: y(m) });
  if (!done) return [blocks, bars, line(0, "nothing read yet:  m = −∞,  l = 0")];
  const [factor, sum] = [run.factors, run.sums].map((numbers) => number(numbers[done - 1]));
  const before = done > 1 ? number(run.sums[done - 2]) : "0";
  return [
    blocks,
    bars,
    level,
    line(0, `largest so far  m = ${number(m, 1)}`),
    line(1, `the old sum is multiplied by  ${factor}`),
    line(2, `l = ${before} × ${factor} + ${number(run.added[done - 1])} = ${sum}`, "attn-strong"),
    done === run.maxima.length && line(3, "weights above: each power of e, divided by l", "attn-muted"),
  ];
}

function say({ data, state }) {
  const run = data.runs[state.size];
  const done = state.step;
  if (!done) return `Blocks of ${size(data, state)}: nothing has been read.`;
  const all = done === run.maxima.length;
  const end = all ? " Every score has been read once: the weights are exact." : "";
  return (
    `After block ${done} of ${run.maxima.length}: m is ${number(run.maxima[done - 1], 1)}, ` +
    `l is ${number(run.sums[done - 1])}.${end}`
  );
}

export default {
  render(view) {
    const data = view.model.get("data");
    return stage(view, {
      draw,
      say,
      controls: [
        steps(
          "step",
          (state) => data.runs[state.size].maxima.length,
          (now, end) => `${now} of ${end} blocks`,
        ),
        choice("size", "block size", data.sizes.map((count, i) => [i, String(count)]), { step: 0 }),
      ],
    });
  },
};
