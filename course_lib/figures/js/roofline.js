// A roofline: batch and length move prefill and decode along the roof of a machine.
const PLOT = 230;
const LOW = -0.5; // powers of ten of operations a byte, at the left edge
const DEEP = 3.6; // powers of ten below the peak, at the bottom

const KINDS = [
  ["prefill", "warm"],
  ["decode", "accent"],
];

const at = (data, state, kind) => data.steps[kind][state.batch][state.length];
const ridge = ({ flops, bandwidth }) => flops / bandwidth;

/** Three figures, and a unit for a thousand. */
function short(value) {
  if (value >= 1000) return Math.round(value).toLocaleString("en");
  return value >= 100 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 3 : 2);
}

const time = (seconds) =>
  seconds >= 1 ? `${short(seconds)} s` : `${short(1000 * seconds)} ms`;

function draw({ data, state, width }) {
  const high = Math.max(5, Math.log10(ridge(data)) + 1.5);
  const clamp = (power) => Math.min(high, Math.max(LOW, power));
  const x = (value) => 14 + ((clamp(Math.log10(value)) - LOW) / (high - LOW)) * (width - 28);
  const y = (flops) =>
    30 + (Math.min(DEEP, Math.log10(data.flops / flops)) / DEEP) * (PLOT - 60);
  const edge = 10 ** LOW;
  const corner = x(ridge(data));
  const roof = `M${x(edge)} ${y(edge * data.bandwidth)}L${corner} ${y(data.flops)}H${width - 14}`;
  return [
    svg("path", { class: "attn-axis", d: `M14 12V${PLOT - 20}H${width - 8}` }),
    svg("path", { class: "attn-curve", d: roof, style: "stroke: var(--ink)" }),
    svg("line", { class: "attn-level", x1: corner, x2: corner, y1: 24, y2: PLOT - 20 }),
    words(corner, 14, "waits for memory ← | → computes", MIDDLE),
    words(corner, PLOT - 4, `${short(ridge(data))}`, MIDDLE),
    words(width - 8, PLOT + 16, "operations a byte →", { anchor: "end", class: "attn-small" }),
    KINDS.map(([kind, color], i) => {
      const { operations, bytes, seconds } = at(data, state, kind);
      const [a, b] = [x(operations / bytes), y(operations / seconds)];
      const late = a > width - 90;
      return [
        svg("circle", { class: "attn-dot", cx: a, cy: b, r: 7, style: `stroke: var(--${color})` }),
        svg("circle", { cx: a, cy: b, r: 3, style: `fill: var(--${color})` }),
        words(late ? a - 10 : a + 10, b + (i ? 20 : 22), kind, {
          class: "attn-strong",
          anchor: late ? "end" : "start",
        }),
      ];
    }),
  ];
}

function say({ data, state }) {
  const parts = KINDS.map(([kind]) => {
    const { operations, bytes, seconds } = at(data, state, kind);
    const much = operations / bytes;
    const bound = much < ridge(data) ? "memory" : "arithmetic";
    const name = kind === "prefill" ? "Prefill" : "Decode";
    return `${name}: ${short(much)} operations a byte, bound by ${bound}, at best ${time(seconds)}`;
  });
  const [batch, length] = [data.batches[state.batch], data.lengths[state.length]];
  return `Batch ${batch}, ${length.toLocaleString("en")} tokens each. ${parts.join(". ")} for a token of each.`;
}

export default {
  render(view) {
    const { batches, lengths } = view.model.get("data");
    const stops = (list) => ({
      min: 0,
      max: list.length - 1,
      step: 1,
      text: (i) => list[i].toLocaleString("en"),
    });
    return stage(view, {
      draw,
      say,
      controls: [
        range("batch", "batch", stops(batches)),
        range("length", "length", stops(lengths)),
      ],
    });
  },
};
