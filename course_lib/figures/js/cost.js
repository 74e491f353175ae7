// What attention costs as the sequence grows: kinds of attention on logarithmic axes.
const PLOT = 210;
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 2"];
const COLORS = ["accent", "warm", "green", "violet", "ink"];

/** A number of things with a unit: 1536 → 1.5 Ki. */
function scaled(value, { base, units }) {
  const power = Math.floor(Math.log(value) / Math.log(base));
  const step = Math.min(units.length - 1, Math.max(0, power));
  const small = value / base ** step;
  return `${small >= 99.95 ? small.toFixed(0) : small.toFixed(1)} ${units[step]}`;
}

const length = (data, { at }) => data.lengths[at].toLocaleString("en");

/** Heights for the curves' numbers at their right ends, none on another. */
function apart(heights) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const placed = [];
  let free = -Infinity;
  for (const i of order) {
    placed[i] = Math.max(heights[i], free);
    free = placed[i] + 13;
  }
  return placed;
}

function draw({ data, state, width }) {
  const { curves } = data[state.measure];
  const all = curves.flatMap(({ values }) => values);
  const [low, high] = [Math.min(...all), Math.max(...all)].map(Math.log);
  const [short, long] = [data.lengths[0], data.lengths.at(-1)].map(Math.log);
  const [wide, tall] = [long - short || 1, high - low || 1]; // one length, or flat curves
  const x = (T) => 8 + ((Math.log(T) - short) / wide) * (width - 32);
  const y = (value) => PLOT - 20 - ((Math.log(value) - low) / tall) * (PLOT - 40);
  const ends = apart(curves.map(({ values }) => y(values.at(-1)) + 4));
  const here = x(data.lengths[state.at]);
  return [
    svg("path", { class: "attn-axis", d: `M8 4V${PLOT - 14}H${width - 16}` }),
    svg("line", { class: "attn-level", x1: here, x2: here, y1: 4, y2: PLOT - 14 }),
    words(Math.min(Math.max(here, 40), width - 60), PLOT + 2, `T = ${length(data, state)}`, MIDDLE),
    curves.map(({ name, values }, i) => {
      const style = `stroke: var(--${COLORS[i]})`;
      const d = `M${data.lengths.map((T, j) => `${x(T)} ${y(values[j])}`).join("L")}`;
      const line = { style, "stroke-dasharray": DASHES[i] };
      const row = PLOT + 26 + 22 * i;
      return [
        svg("path", { class: "attn-curve", d, ...line }),
        svg("circle", { class: "attn-dot", cx: here, cy: y(values[state.at]), r: 4, style }),
        words(width - 14, ends[i], String(i + 1)),
        svg("path", { class: "attn-curve", d: `M0 ${row - 4}h28`, ...line }),
        words(36, row, `${i + 1}  ${name}`),
        words(width, row, scaled(values[state.at], data[state.measure]), { anchor: "end" }),
      ];
    }),
  ];
}

function say({ data, state }) {
  const measure = data[state.measure];
  const parts = measure.curves.map(
    ({ name, values }) => `${name} ${scaled(values[state.at], measure)}`,
  );
  return `Length ${length(data, state)}, ${state.measure}: ${parts.join("; ")}.`;
}

export default {
  render(view) {
    const { lengths } = view.model.get("data");
    const text = (at) => lengths[at].toLocaleString("en");
    return stage(view, {
      draw,
      say,
      controls: [
        range("at", "length T", { min: 0, max: lengths.length - 1, step: 1, text }),
        choice("measure", "count", [
          ["memory", "bytes held"],
          ["operations", "operations"],
        ]),
      ],
    });
  },
};
