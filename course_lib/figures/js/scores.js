// Four score functions over the same keys: move the query and compare the weights.
const PLANE = 210; // pixels of the square in which query and keys stand
const NAMES = ["dot", "scaled", "general", "additive"];

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const times = (matrix, vector) => matrix.map((row) => dot(row, vector));

/** Scores of every key for a query, by the name of the function. */
function scoresOf({ keys, W, W_a, U_a, v_a }, query) {
  const asked = times(W_a, query);
  return {
    dot: keys.map((key) => dot(query, key)),
    scaled: keys.map((key) => dot(query, key) / Math.sqrt(query.length)),
    general: keys.map((key) => dot(query, times(W, key))),
    additive: keys.map((key) => {
      const seen = times(U_a, key);
      return dot(v_a, asked.map((x, i) => Math.tanh(x + seen[i])));
    }),
  };
}

const square = (data, width) => {
  const start = Math.max(0, (width - PLANE) / 2);
  return {
    x: (value) => start + ((value + data.reach) / (2 * data.reach)) * PLANE,
    y: (value) => 10 + ((data.reach - value) / (2 * data.reach)) * PLANE,
    value: (x, y) => [
      ((x - start) / PLANE) * 2 * data.reach - data.reach,
      data.reach - ((y - 10) / PLANE) * 2 * data.reach,
    ],
  };
};

function plane(data, query, width) {
  const at = square(data, width);
  const [qx, qy] = [at.x(query[0]), at.y(query[1])];
  const edge = { x: at.x(-data.reach), y: at.y(data.reach), width: PLANE, height: PLANE };
  return [
    svg("rect", { class: "attn-thumb", ...edge, "data-plane": 1 }),
    svg("path", {
      class: "attn-axis",
      d: `M${edge.x} ${at.y(0)}h${PLANE}M${at.x(0)} ${edge.y}v${PLANE}`,
    }),
    data.keys.map(([a, b], i) => {
      const [x, y] = [at.x(a), at.y(b)];
      return [
        svg("rect", { class: "attn-bar", x: x - 5, y: y - 5, width: 10, height: 10 }),
        words(x + 8, y - 6, `key ${i + 1}`, { class: "attn-small" }),
      ];
    }),
    svg("line", { class: "attn-level", x1: at.x(0), y1: at.y(0), x2: qx, y2: qy }),
    svg("g", { class: "attn-handle" }, svg("circle", { cx: qx, cy: qy, r: 8, "data-plane": 1 })),
    words(qx + 10, qy + 16, "query", { class: "attn-strong" }),
  ];
}

function draw({ data, state, width }) {
  const scores = scoresOf(data, [state.x, state.y]);
  const wide = width / NAMES.length;
  const top = PLANE + 40;
  return [
    plane(data, [state.x, state.y], width),
    NAMES.map((name, n) => {
      const x = wide * n;
      const weights = softmax(scores[name]);
      return [
        words(x, top, name, { class: "attn-strong" }),
        weights.map((weight, i) => {
          const [y, long] = [top + 10 + 22 * i, Math.max(1, (wide - 52) * weight)];
          return [
            words(x, y + 12, `${i + 1}`, { class: "attn-muted" }),
            svg("rect", { class: "attn-bar", x: x + 12, y, height: 16, width: long }),
            words(x + 15 + long, y + 12, number(weight, 2), { class: "attn-small" }),
          ];
        }),
      ];
    }),
  ];
}

function say({ data, state }) {
  const scores = scoresOf(data, [state.x, state.y]);
  const best = NAMES.map((name) => {
    const weights = softmax(scores[name]);
    const top = Math.max(...weights);
    return `${name} key ${weights.indexOf(top) + 1} (${number(top, 2)})`;
  });
  return `Query (${number(state.x, 1)}, ${number(state.y, 1)}) looks most at: ${best.join(", ")}.`;
}

const snap = (value, { reach }) => Math.min(reach, Math.max(-reach, Math.round(value * 10) / 10));

export default {
  render(view) {
    const data = view.model.get("data");
    let held = false;
    const drag = ({ x, y, width, set }) => {
      const [a, b] = square(data, width).value(x, y);
      set({ x: snap(a, data), y: snap(b, data) });
    };
    const text = (value) => number(value, 1);
    const limits = { min: -data.reach, max: data.reach, step: 0.1, text };
    return stage(view, {
      draw,
      say,
      controls: [range("x", "query, x", limits), range("y", "query, y", limits)],
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
