// A dot product as agreement: drag one arrow, and see its shadow on the other one and the number.
const SQUARE = 240; // pixels of the plane in which both arrows stand

const place = ({ reach }, width) => {
  const start = Math.max(0, (width - SQUARE) / 2);
  const half = SQUARE / 2;
  return {
    start,
    at: ([x, y]) => [start + half + (x / reach) * half, 10 + half - (y / reach) * half],
    value: (x, y) => [((x - start - half) / half) * reach, ((10 + half - y) / half) * reach],
  };
};

/** What the two arrows say: the dot product, both lengths, the shadow of b on a, and its foot. */
function measure({ fixed: [p, q] }, { x, y }) {
  const dot = p * x + q * y;
  const long = Math.hypot(p, q);
  const foot = [(dot / long ** 2) * p, (dot / long ** 2) * q];
  return { dot, long, shadow: dot / long, foot, other: Math.hypot(x, y) };
}

function draw({ data, state, width }) {
  const { start, at } = place(data, width);
  const { dot, long, foot } = measure(data, state);
  const [zero, a, b, f] = [[0, 0], data.fixed, [state.x, state.y], foot].map(at);
  const [first, second] = data.names;
  const label = ([x, y], [u, v], text) =>
    words(x + (u < 0 ? -14 : 14), y + (v < 0 ? 16 : -8), text, {
      class: "attn-strong",
      anchor: u < 0 ? "end" : "start",
    });
  const most = long * data.reach * Math.SQRT2; // the largest dot product that the plane allows
  const gauge = { y: SQUARE + 24, half: Math.min(width, 460) / 2 - 60 };
  const bar = (Math.abs(dot) / most) * gauge.half;
  const middle = width / 2;
  return [
    svg("rect", {
      class: "attn-thumb",
      x: start,
      y: 10,
      width: SQUARE,
      height: SQUARE,
      "data-plane": 1,
    }),
    svg("path", {
      class: "attn-axis",
      d: `M${start} ${zero[1]}h${SQUARE}M${zero[0]} 10v${SQUARE}`,
    }),
    svg("line", { class: "attn-shadow", x1: zero[0], y1: zero[1], x2: f[0], y2: f[1] }),
    svg("line", { class: "attn-level", x1: b[0], y1: b[1], x2: f[0], y2: f[1] }),
    arrow(zero, a, ""),
    arrow(zero, b, " attn-warm"),
    svg("g", { class: "attn-handle" }, [
      svg("circle", { cx: b[0], cy: b[1], r: 7, "data-plane": 1 }),
    ]),
    label(a, data.fixed, first),
    label(b, [state.x, state.y], second),
    svg("path", { class: "attn-axis", d: `M${middle} ${gauge.y - 4}v26` }),
    svg("rect", {
      class: dot < 0 ? "attn-bar attn-warm" : "attn-bar",
      x: dot < 0 ? middle - bar : middle,
      y: gauge.y,
      width: Math.max(1, bar),
      height: 18,
    }),
    words(middle + (dot < 0 ? -bar - 8 : bar + 8), gauge.y + 14, number(dot, 2), {
      class: "attn-strong",
      anchor: dot < 0 ? "end" : "start",
    }),
    words(middle, gauge.y + 40, "← apart · dot product · agree →", MIDDLE),
  ];
}

const meaning = (dot) => {
  if (Math.abs(dot) < 0.05) return "a right angle: they have nothing to say to each other";
  return dot > 0 ? "they agree" : "they point apart";
};

function say({ data, state }) {
  const { dot, long, shadow } = measure(data, state);
  const [p, q] = data.fixed;
  const [first, second] = data.names;
  const times = (u, v) => `${number(u, 1)} × ${number(v, 1)}`;
  return (
    `${first} · ${second} = ${times(p, state.x)} + ${times(q, state.y)} = ${number(dot, 2)}, ` +
    `${meaning(dot)}. Length of ${first} ${number(long, 2)}, ` +
    `times shadow of ${second} ${number(shadow, 2)}.`
  );
}

const snap = (value, { reach }) => Math.min(reach, Math.max(-reach, Math.round(value * 10) / 10));

export default {
  render(view) {
    const data = view.model.get("data");
    let held = false;
    const drag = ({ x, y, width, set }) => {
      const [a, b] = place(data, width).value(x, y);
      set({ x: snap(a, data), y: snap(b, data) });
    };
    const limits = {
      min: -data.reach,
      max: data.reach,
      step: 0.1,
      text: (value) => number(value, 1),
    };
    const name = data.names[1];
    return stage(view, {
      draw,
      say,
      controls: [
        range("x", `${name}, 1st`, limits),
        range("y", `${name}, 2nd`, limits),
      ],
      on: {
        pointerdown(event, all) {
          held = event.target.closest("[data-plane]") !== null;
          if (!held) return;
          all.paper.setPointerCapture(event.pointerId);
          drag(all);
        },
        pointermove: (event, all) => held && drag(all),
        pointerup: () => (held = false),
        pointercancel: () => (held = false),
      },
    });
  },
};
