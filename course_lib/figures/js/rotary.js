// Rotary positions: every pair of features turns, and the score keeps only the difference.
const CIRCLE = 150; // pixels of the square in which one pair turns

const turned = ([x, y], angle) => [
  x * Math.cos(angle) - y * Math.sin(angle),
  x * Math.sin(angle) + y * Math.cos(angle),
];

/** What each pair adds to the score. */
function parts({ query, key, theta }, state) {
  return theta.map((w, i) => {
    const [a, b] = turned(query[i], state.query * w);
    const [c, d] = turned(key[i], state.key * w);
    return a * c + b * d;
  });
}

function draw({ data, state, width }) {
  const { query, key, theta } = data;
  const room = width / theta.length;
  const radius = Math.min(CIRCLE, room - 8) / 2 - 8;
  const longest = Math.max(...[...query, ...key].map((pair) => Math.hypot(...pair))) || 1;
  const each = parts(data, state);
  const most = Math.max(...query.map((q, i) => Math.hypot(...q) * Math.hypot(...key[i]))) || 1;
  return theta.map((w, i) => {
    const [x, y] = [room * (i + 0.5), 10 + CIRCLE / 2];
    const end = (pair, position) => {
      const [a, b] = turned(pair, position * w);
      return [x + (a / longest) * radius, y - (b / longest) * radius];
    };
    const half = room / 2 - 14;
    const bar = (Math.abs(each[i]) / most) * half;
    const top = CIRCLE + 42;
    return [
      svg("circle", { class: "attn-thumb", cx: x, cy: y, r: radius }),
      arrow([x, y], end(query[i], state.query), ""),
      arrow([x, y], end(key[i], state.key), " attn-warm"),
      words(x, CIRCLE + 28, `θ = ${number(w, w < 0.1 ? 3 : 2)}`, MIDDLE),
      svg("path", { class: "attn-axis", d: `M${x} ${top - 3}v22` }),
      svg("rect", {
        class: each[i] < 0 ? "attn-bar attn-warm" : "attn-bar",
        x: each[i] < 0 ? x - bar : x,
        y: top,
        width: Math.max(1, bar),
        height: 16,
      }),
      words(x, top + 36, number(each[i], 2), MIDDLE),
    ];
  });
}

function say({ data, state }) {
  const each = parts(data, state);
  const sum = each.reduce((a, b) => a + b, 0);
  return (
    `Query at position ${state.query}, key at position ${state.key}, ` +
    `difference ${minus(String(state.query - state.key))}: ` +
    `the pairs add ${each.map((part) => number(part, 2)).join(", ")}; score ${number(sum, 2)}.`
  );
}

/** Both positions one step on or back, as far as the sliders reach: the score must not change. */
function together(label, step, last) {
  const button = html("button", { type: "button" }, label);
  let now = null;
  const fits = () => [now.query, now.key].every((p) => p + step >= 0 && p + step <= last);
  return {
    node: html("div", { class: "attn-control" }, button),
    listen: (set) =>
      button.addEventListener(
        "click",
        () => fits() && set({ query: now.query + step, key: now.key + step }),
      ),
    show(state) {
      now = state;
      button.setAttribute("aria-disabled", !fits());
    },
  };
}

export default {
  render(view) {
    const data = view.model.get("data");
    const last = data.length - 1;
    const limits = { min: 0, max: last, step: 1, text: String };
    return stage(view, {
      draw,
      say,
      controls: [
        range("query", "query (blue) at", limits),
        range("key", "key (brown) at", limits),
        together("← both one back", -1, last),
        together("both one on →", 1, last),
      ],
    });
  },
};
