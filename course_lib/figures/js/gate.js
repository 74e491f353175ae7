// A gate: the share of the old state that is kept at each word, and what is left at the end.
const STATES = { top: 24, height: 130 };
const BARS = { base: 268, height: 70 };

const shareAt = ({ gated }, { kept, own }, i) => (i === gated ? own : kept);

/** The state after each word, and what part of the last state comes from each word. */
function pass(data, state) {
  const passed = [];
  let traces = [];
  data.suggestions.forEach((suggestion, i) => {
    const z = shareAt(data, state, i);
    passed.push(z * (passed[i - 1] ?? 0) + (1 - z) * suggestion);
    traces = [...traces.map((trace) => z * trace), 1 - z];
  });
  return { passed, traces };
}

function draw({ data, state, width }) {
  const { passed, traces } = pass(data, state);
  const left = 30;
  const wide = (width - left - 10) / data.words.length;
  const x = (i) => left + wide * (i + 0.5);
  const y = (value) => STATES.top + ((1 - value) / 2) * STATES.height;
  const axis = (value) => [
    svg("path", { class: "attn-axis", d: `M${left} ${y(value)}H${width - 10}` }),
    words(left - 6, y(value) + 4, number(value, 0), { anchor: "end", class: "attn-small" }),
  ];
  const line = passed.map((value, i) => `${i ? "L" : "M"}${x(i)} ${y(value)}`).join("");
  return [
    words(0, 14, _("■ suggested   ● new state"), { class: "attn-muted" }),
    [-1, 0, 1].map(axis),
    svg("path", { class: "attn-level", d: line, fill: "none" }),
    data.suggestions.map((value, i) => [
      svg("path", { class: "attn-axis", d: `M${x(i)} ${y(value)}V${y(passed[i])}` }),
      svg("rect", { class: "attn-bar", x: x(i) - 5, y: y(value) - 5, width: 10, height: 10 }),
      svg("circle", { class: "attn-bar attn-warm", cx: x(i), cy: y(passed[i]), r: 6 }),
    ]),
    words(0, STATES.top + STATES.height + 28, _("part of the last state"), { class: "attn-muted" }),
    traces.map((trace, i) => {
      const high = Math.max(1, BARS.height * trace);
      const kind = i === data.gated ? "attn-bar attn-warm" : "attn-bar";
      const bar = { x: x(i) - wide * 0.3, y: BARS.base - high, width: wide * 0.6, height: high };
      return [
        svg("rect", { class: kind, ...bar }),
        words(x(i), BARS.base - high - 5, number(trace, 2), MIDDLE),
        words(x(i), BARS.base + 18, cut(data.words[i], wide), {
          anchor: "middle",
          class: i === data.gated ? "attn-strong" : "attn-label",
        }),
      ];
    }),
  ];
}

function say({ data, state }) {
  const { passed, traces } = pass(data, state);
  return _("The last state is {state}. “{word}” makes {part} of it, the last word {last}.", {
    state: number(passed.at(-1), 2),
    word: data.words[data.gated],
    part: number(traces[data.gated], 2),
    last: number(traces.at(-1), 2),
  });
}

export default {
  render(view) {
    const { words: all, gated } = view.model.get("data");
    const limits = { min: 0, max: 1, step: 0.05, text: (value) => number(value, 2) };
    return stage(view, {
      draw,
      say,
      controls: [
        range("kept", _("z elsewhere"), limits),
        range("own", _("z at “{word}”", { word: all[gated] }), limits),
      ],
    });
  },
};
