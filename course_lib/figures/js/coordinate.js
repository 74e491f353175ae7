// One coordinate of additive attention: a soft question about each key; the state moves its border.
const PLANE = 210; // pixels of the square in which the keys stand
const CELLS = 15; // the shading is a board of this many cells a side
const ROW = 24;

const inner = ({ u }, [x, y], a) => a + u[0] * x + u[1] * y;
const answer = (state, z) => (state.bend ? Math.tanh(z) : z);
const keysOf = (data, { x, y }) => data.keys.map((key, i) => (i === data.moved ? [x, y] : key));

function found(data, state) {
  const answers = keysOf(data, state).map((key) => answer(state, inner(data, key, state.a)));
  return { answers, weights: softmax(answers.map((z) => data.v * z)) };
}

function square({ reach }, width) {
  const left = Math.max(0, (width - PLANE) / 2);
  return {
    left,
    x: (value) => left + ((value + reach) / (2 * reach)) * PLANE,
    y: (value) => 22 + ((reach - value) / (2 * reach)) * PLANE,
    value: (x, y) => [
      ((x - left) / PLANE) * 2 * reach - reach,
      reach - ((y - 22) / PLANE) * 2 * reach,
    ],
  };
}

/** The ends of the line a + u·h = level inside the square, or nothing where it misses it. */
function level(data, a, height) {
  const { u, reach } = data;
  const ends = [];
  for (const side of [-reach, reach]) {
    if (u[1] !== 0) ends.push([side, (height - a - u[0] * side) / u[1]]);
    if (u[0] !== 0) ends.push([(height - a - u[1] * side) / u[0], side]);
  }
  const near = (value) => Math.abs(value) <= reach + 1e-9;
  const inside = ends.filter(([x, y]) => near(x) && near(y));
  return inside.length < 2 ? undefined : [inside[0], inside.at(-1)];
}

function shading(data, state, at) {
  const side = (2 * data.reach) / CELLS;
  const pixels = PLANE / CELLS;
  return Array.from({ length: CELLS * CELLS }, (_, i) => {
    const [x, y] = [i % CELLS, Math.floor(i / CELLS)];
    const middle = [side * (x + 0.5) - data.reach, data.reach - side * (y + 0.5)];
    const z = answer(state, inner(data, middle, state.a));
    const w = Math.min(1, Math.max(0, (z + (state.bend ? 1 : 3)) / (state.bend ? 2 : 6)));
    const box = { x: at.left + x * pixels, y: 22 + y * pixels, width: pixels, height: pixels };
    return svg("rect", { class: "attn-cell", ...box, style: `--w:${w.toFixed(2)};stroke:none` });
  });
}

function plane(data, state, width) {
  const at = square(data, width);
  return [
    words(width / 2, 14, "the words, and the question's answer", { ...MIDDLE, class: "attn-muted" }),
    svg("g", { "data-plane": 1 }, shading(data, state, at)),
    [-1, 0, 1].map((height) => {
      const ends = level(data, state.a, height);
      if (!ends) return undefined;
      const [[x1, y1], [x2, y2]] = ends;
      const line = { x1: at.x(x1), y1: at.y(y1), x2: at.x(x2), y2: at.y(y2) };
      return [
        svg("line", { class: height ? "attn-block" : "attn-level", ...line }),
        words(at.x(x1) + 3, Math.max(34, at.y(y1) - 4), number(answer(state, height), 2), {
          class: "attn-small",
        }),
      ];
    }),
    keysOf(data, state).map(([x, y], i) => {
      const dot = { cx: at.x(x), cy: at.y(y), "data-plane": 1 };
      const label = words(at.x(x), at.y(y) - 11, data.words[i], {
        anchor: "middle",
        class: "attn-strong",
      });
      if (i !== data.moved) return [svg("circle", { class: "attn-bar", ...dot, r: 5 }), label];
      return [svg("g", { class: "attn-handle" }, svg("circle", { ...dot, r: 8 })), label];
    }),
  ];
}

function draw({ data, state, width }) {
  const { answers, weights } = found(data, state);
  const start = room(data.words, width * 0.2);
  const wide = (width - start) / 2;
  const most = Math.max(state.bend ? 1 : 3, ...answers.map(Math.abs));
  const zero = start + (wide - 40) / 2;
  const long = (wide - 100) / 2;
  const top = PLANE + 56;
  return [
    plane(data, state, width),
    words(start, top - 8, state.bend ? "answer: tanh" : "answer: no tanh", {
      class: "attn-strong",
    }),
    words(start + wide, top - 8, "weight", { class: "attn-strong" }),
    svg("line", { class: "attn-axis", x1: zero, x2: zero, y1: top, y2: top + ROW * answers.length }),
    data.words.map((word, i) => {
      const y = top + ROW * i;
      const size = Math.max(1, (long * Math.abs(answers[i])) / most);
      const bar = { y: y + 3, height: ROW - 7 };
      const weight = Math.max(1, (wide - 50) * weights[i]);
      const [below, x] = [answers[i] < 0, zero + (answers[i] < 0 ? -size - 4 : size + 4)];
      return [
        words(0, y + 16, word),
        svg("rect", { class: "attn-bar", x: below ? zero - size : zero, width: size, ...bar }),
        words(x, y + 16, number(answers[i], 2), {
          anchor: below ? "end" : "start",
          class: "attn-small",
        }),
        svg("rect", { class: "attn-bar attn-warm", x: start + wide, width: weight, ...bar }),
        words(start + wide + weight + 4, y + 16, number(weights[i], 2), { class: "attn-small" }),
      ];
    }),
  ];
}

function say({ data, state }) {
  const { answers, weights } = found(data, state);
  const apart = Math.max(...answers) - Math.min(...answers);
  const top = Math.max(...weights);
  return (
    `The state adds ${number(state.a, 1)}: the answers lie ${number(apart, 2)} apart, and ` +
    `“${data.words[weights.indexOf(top)]}” gets the weight ${number(top, 2)}.`
  );
}

export default {
  render(view) {
    const data = view.model.get("data");
    const snap = (value) => Math.min(data.reach, Math.max(-data.reach, Math.round(value * 10) / 10));
    let held = false;
    const drag = ({ x, y, width, set }) => {
      const [a, b] = square(data, width).value(x, y);
      set({ x: snap(a), y: snap(b) });
    };
    const text = (value) => number(value, 1);
    const limits = { min: -data.reach, max: data.reach, step: 0.1, text };
    const word = data.words[data.moved];
    const bends = [
      [true, "with tanh"],
      [false, "no tanh"],
    ];
    return stage(view, {
      draw,
      say,
      controls: [
        range("a", "the state adds", { min: -4, max: 4, step: 0.1, text }),
        range("x", `${word}, x`, limits),
        range("y", `${word}, y`, limits),
        choice("bend", "bend", bends),
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
