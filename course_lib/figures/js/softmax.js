// Scores that can be dragged, a temperature, and the weights that come of them.
const ROW = 36;

/** Where things stand: the tracks of the scores and the bars of the weights. */
function places({ words: names, lowest, highest }, width) {
  const start = room(names, width * 0.28);
  const track = (width - start - 70) * 0.5;
  const bars = start + track + 28;
  return {
    start,
    track,
    bars,
    length: width - bars - 46,
    x: (score) => start + ((score - lowest) / (highest - lowest)) * track,
    score: (x) => lowest + ((x - start) / track) * (highest - lowest),
  };
}

const clamp = (score, { lowest, highest }) =>
  Math.min(highest, Math.max(lowest, Math.round(score * 10) / 10));

function draw({ data, state, width }) {
  const place = places(data, width);
  const weights = softmax(state.scores, state.temperature);
  return [
    words(place.start, 16, _("score"), { class: "attn-muted" }),
    words(place.bars, 16, _("weight"), { class: "attn-muted" }),
    data.words.map((word, i) => {
      const y = 24 + ROW * i + ROW / 2;
      const x = place.x(state.scores[i]);
      const handle = {
        class: "attn-handle",
        role: "slider",
        tabindex: 0,
        "data-index": i,
        "aria-label": _("score of {word}", { word }),
        "aria-valuemin": data.lowest,
        "aria-valuemax": data.highest,
        "aria-valuenow": state.scores[i],
        "aria-valuetext": _("{score}, weight {weight}", {
          score: number(state.scores[i], 1),
          weight: number(weights[i]),
        }),
      };
      return [
        words(0, y + 4, cut(word, place.start - 6)),
        svg("path", {
          class: "attn-axis",
          d: `M${place.start} ${y}h${place.track}M${place.x(0)} ${y - 5}v10`,
        }),
        svg("g", handle, [
          svg("rect", { class: "attn-grip", x: x - 16, y: y - 16, width: 32, height: 32 }),
          svg("circle", { cx: x, cy: y, r: 7 }),
          words(x, y - 11, number(state.scores[i], 1), { anchor: "middle", class: "attn-small" }),
        ]),
        svg("rect", {
          class: "attn-bar",
          x: place.bars,
          y: y - 10,
          height: 20,
          width: Math.max(1, place.length * weights[i]),
        }),
        words(place.bars + place.length * weights[i] + 5, y + 4, number(weights[i])),
      ];
    }),
  ];
}

function say({ data, state }) {
  const weights = softmax(state.scores, state.temperature);
  const most = Math.max(...weights);
  const first = data.words[weights.indexOf(most)];
  const values = {
    temperature: number(state.temperature, 2),
    word: first,
    weight: number(most),
  };
  const equal = most - Math.min(...weights) < 1e-9;
  return equal
    ? _("Temperature {temperature}: all weights are equal, {weight}.", values)
    : _("Temperature {temperature}: “{word}” has the largest weight, {weight}.", values);
}

function move(event, index, score, { data, state, set }) {
  event.preventDefault();
  const scores = state.scores.map((old, i) => (i === index ? clamp(score, data) : old));
  if (scores[index] !== state.scores[index]) set({ scores });
}

const [SMALL, LARGE] = [0.1, 1]; // what a key adds to a score
const JUMPS = {
  ArrowRight: SMALL,
  ArrowUp: SMALL,
  ArrowLeft: -SMALL,
  ArrowDown: -SMALL,
  PageUp: LARGE,
  PageDown: -LARGE,
};

function grip(event) {
  const handle = event.target.closest("[data-index]");
  return handle ? Number(handle.dataset.index) : -1;
}

export default {
  render(view) {
    let held = -1; // the index of the score that the pointer drags
    return stage(view, {
      draw,
      say,
      paper: { role: "group" },
      controls: [
        range("temperature", _("temperature τ"), {
          min: -2,
          max: 2,
          step: 0.05,
          from: (position) => 10 ** Number(position),
          to: (temperature) => Number(Math.log10(temperature).toFixed(2)),
          text: (temperature) => number(temperature, 2),
        }),
      ],
      on: {
        keydown(event, all) {
          const index = grip(event);
          if (index < 0) return;
          const now = all.state.scores[index];
          const ends = { Home: all.data.lowest, End: all.data.highest };
          const next = event.key in JUMPS ? now + JUMPS[event.key] : ends[event.key];
          if (next !== undefined) move(event, index, next, all);
        },
        pointerdown(event, all) {
          held = grip(event);
          if (held >= 0) all.paper.setPointerCapture(event.pointerId);
        },
        pointermove(event, all) {
          if (held >= 0) move(event, held, places(all.data, all.width).score(all.x), all);
        },
        pointerup() {
          held = -1;
        },
        pointercancel() {
          held = -1;
        },
      },
    });
  },
};
