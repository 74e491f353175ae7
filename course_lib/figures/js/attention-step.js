// One step of attention as it happens: the query goes past the words, scores become ten points, the
// values are multiplied by their shares and stacked, and the map has one more row.
// Pixels from the top, the same as in moving/attention_step.py.
const [SCORE, POINTS, BASE, MIX, MAP, ROW, HIGH] = [80, 106, 204, 296, 352, 24, 66];
const LEFT = 62; // for the names of rows
const TINTS = [0.5, 1, 0.75]; // of the words' values, so that one knows them again in the mixture
const BEAT = 2000; // milliseconds of an event, while it plays
const SHARED = 1, TIMES = 2, STACKED = 3, DONE = 4; // what has happened after the last score

/** How many events a look has: the question, a score for each word, and the four above. */
const long = (look) => look.words.length + 1 + DONE;

/** Which look an event belongs to, how many words are scored, and what has happened since. */
function moment({ looks }, event) {
  const at = looks.findIndex((look) => (event -= long(look)) < 0);
  event += long(looks[at]);
  const scored = Math.min(event, looks[at].words.length);
  return { look: looks[at], scored, done: event - scored };
}

const seen = (yes) => ({ class: "attn-fades", opacity: yes ? 1 : 0 });
const shown = (yes, ...nodes) => svg("g", seen(yes), ...nodes);

/** The word that asks: on the left, or below the word that it meets. */
function asking({ look, scored, done }, middle) {
  const wide = 16 + 7.5 * look.query.length;
  const x = scored > 0 && done === 0 ? middle(scored - 1) : Math.max(wide / 2, 27);
  return svg("g", { class: "attn-goes", style: `transform: translate(${x}px, 46px)` }, [
    svg("rect", { class: "attn-asks", x: -wide / 2, y: -12, width: wide, height: 22, rx: 11 }),
    words(0, 4, look.query, { anchor: "middle", class: "attn-on-asks" }),
  ]);
}

/** What a word gets and says: its score, its points, the outline of its value. */
function column({ look, scored, done }, s, { x, each, bar, scale, left }) {
  const now = done === 0 && s === scored - 1;
  const size = Math.min(20, each / 3.4);
  const wide = done >= SHARED ? (each - 16) * (look.points[s] / 10) : 0;
  return [
    words(x, 24, look.words[s], { anchor: "middle", class: "attn-voice", "font-size": size }),
    shown(s < scored, words(x, SCORE, number(look.scores[s], 2), {
      anchor: "middle", class: now ? "attn-strong" : "attn-label",
    })),
    shown(done >= SHARED, words(x, POINTS, number(look.points[s], 1), { anchor: "middle" })),
    svg("rect", {
      class: "attn-goes attn-bar attn-warm", x: x - wide / 2, y: POINTS + 8, width: wide, height: 5, rx: 2,
    }),
    svg("path", { class: "attn-axis attn-thinner", d: `M${x - each / 2 + 8} ${BASE}h${each - 16}` }),
    look.values[s].map((value, f) => svg("rect", {
      class: "attn-outline", x: left(f), y: BASE - value * scale, width: bar, height: value * scale,
    })),
  ]; // prettier-ignore
}

/** A piece of the mixture: the whole value first, then its share, then on the pieces before it. */
function piece({ look, done }, s, f, { bar, scale, left, mixed }) {
  const part = look.parts[s][f] * scale;
  const before = look.parts.slice(0, s).reduce((sum, parts) => sum + parts[f], 0) * scale;
  const height = done >= TIMES ? part : look.values[s][f] * scale;
  const stacked = done >= STACKED;
  return svg("rect", {
    class: "attn-goes attn-bar attn-piece", style: `--w: ${TINTS[s % TINTS.length]}`, width: bar, height,
    x: stacked ? mixed(f) - bar / 2 : left(f),
    y: stacked ? MIX - before - part : BASE - height,
  }); // prettier-ignore
}

function map({ look, done }, each, middle) {
  const filled = (t) => t < look.at || (t === look.at && done === DONE);
  return [
    words(0, MAP - 7, _("map"), { class: "attn-muted attn-small" }),
    look.words.map((word, s) => words(middle(s), MAP - 7, word, { anchor: "middle", class: "attn-muted attn-small" })),
    look.rows.map((row, t) => [
      shown(filled(t), words(LEFT - 6, MAP + ROW * t + 16, row, {
        anchor: "end", class: t === look.at ? "attn-queries" : "attn-label",
      })),
      look.weights[t].map((weight, s) => [
        svg("rect", {
          class: "attn-goes attn-cell", style: `--w: ${filled(t) ? weight : 0}`,
          x: LEFT + each * s, y: MAP + ROW * t, width: each, height: ROW,
        }),
        shown(filled(t), words(middle(s), MAP + ROW * t + 16, number(weight, 2), MIDDLE)),
      ]),
    ]),
  ]; // prettier-ignore
}

function draw({ data, state, width }) {
  const now = moment(data, state.event);
  const { look, scored, done } = now;
  const [S, F] = [look.words.length, data.features.length];
  const each = Math.min(150, (width - LEFT) / S);
  const middle = (s) => LEFT + each * (s + 0.5);
  const [bar, scale] = [Math.min(22, (each - 8) / (1.3 * F)), HIGH / look.most];
  const pitch = Math.min(84, (each * S - 70) / F);
  const start = LEFT + (each * S - pitch * F - 70) / 2;
  const mixed = (f) => start + pitch * (f + 0.5);
  const place = (s) => {
    const left = (f) => middle(s) + bar * (1.3 * (f - (F - 1) / 2) - 0.5);
    return { x: middle(s), each, bar, scale, left, mixed };
  };
  const name = (y, text, yes = true) => shown(yes, words(0, y, text, { class: "attn-muted attn-small" }));
  return [
    name(SCORE, _("score"), scored > 0),
    name(POINTS, _("points"), done >= SHARED),
    name(BASE - 14, _("value")),
    name(BASE, _("× share"), done >= TIMES),
    name(MIX, _("mixture"), done >= STACKED),
    look.words.map((_word, s) => column(now, s, place(s))),
    data.features.map((feature, f) => [
      words(mixed(f), MIX + 14, feature, { anchor: "middle", class: "attn-muted attn-small" }),
      shown(done >= STACKED, words(mixed(f), MIX - look.mixture[f] * scale - 5, number(look.mixture[f], 1), MIDDLE)),
    ]),
    svg("path", { class: "attn-axis attn-thinner", d: `M${start} ${MIX}h${pitch * F}` }),
    look.words.map((_word, s) => data.features.map((_name, f) => piece(now, s, f, place(s)))),
    shown(done === DONE, words(start + pitch * F + 8, MIX - 16, look.query, {
      class: "attn-voice attn-said-word attn-on", "font-size": 20,
    })),
    map(now, each, middle),
    asking(now, middle),
  ]; // prettier-ignore
}

function say({ data, state }) {
  const { look, scored, done } = moment(data, state.event);
  const pairs = (names, numbers, digits) => names.map((name, i) => `${name} ${number(numbers[i], digits)}`).join(", ");
  const { query } = look;
  if (done === SHARED) return _("Softmax shares out ten points: {points}.", { points: pairs(look.words, look.points, 1) });
  if (done === TIMES) return _("What each word says is multiplied by its share, a tenth for each point.");
  if (done === STACKED) return _("Added up they are the context vector: {mixture}.", { mixture: pairs(data.features, look.mixture, 1) });
  if (done === DONE) {
    const values = { query, feature: data.features[look.mixture.indexOf(Math.max(...look.mixture))] };
    return data.writes
      ? _("The mixture is mostly “{feature}”. The translator writes “{query}”, and the shares are its row of the map.", values)
      : _("The mixture is the new “{query}”, mostly “{feature}”. The shares are its row of the map.", values);
  }
  if (scored) return _("“{query}” meets “{word}”: score {score}.", { query, word: look.words[scored - 1], score: number(look.scores[scored - 1], 2) });
  return data.writes
    ? _("The word to write is “{query}”. What does it need from each of these words?", { query })
    : _("What does “{query}” need from each word of its sentence?", { query });
} // prettier-ignore

export default {
  render(view) {
    const last = view.model.get("data").looks.reduce((sum, look) => sum + long(look), -1);
    const step = steps("event", last, (now, end) => _("step {now} of {end}", { now: now + 1, end: end + 1 }));
    // Who wants nothing to move steps through it.
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const player = still ? [] : [play("event", last, BEAT)];
    const [back, forth] = step.node.querySelectorAll("button");
    const toggle = player[0]?.node.querySelector("button");
    view.el.addEventListener("keydown", (event) => {
      if (event.key === " " && event.target.closest("button")) return; // it is pressed
      const button = { ArrowLeft: back, ArrowRight: forth, " ": toggle ?? forth }[event.key];
      if (!button || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      if (button !== toggle && toggle?.textContent === _("Stop")) toggle.click(); // a step by hand stops it
      button.click();
    });
    return stage(view, { draw, say, controls: [step, ...player], paper: { role: "application", tabindex: 0 } });
  },
}; // prettier-ignore
