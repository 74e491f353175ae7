// Two decoders, event by event: Bahdanau's looks and then steps, Luong's steps and then looks.
const EVENTS = 4; // a word
const ROW = 142; // pixels from one decoder to the other
const KINDS = {
  Bahdanau: ["looks", "context", "step", "word"],
  Luong: ["step", "looks", "context", "word"],
};
const lower = (n) => String(n).replace(/./g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

/** The events of word t (from 1) in decoder `name`, in its order. */
function boxes(name, t, narrow) {
  const asks = name === "Bahdanau" ? t - 1 : t;
  const fed = name === "Bahdanau" ? `y${lower(t - 1)}, c${lower(t)}` : `y${lower(t - 1)}`;
  const all = {
    looks: ["looks", narrow ? `s${lower(asks)}` : `s${lower(asks)} asks`],
    context: ["context", `c${lower(t)}`],
    step: narrow ? ["step", `s${lower(t)}`] : [`step: ${fed}`, `gives s${lower(t)}`],
    word: ["word", `y${lower(t)}`],
  };
  return KINDS[name].map((kind) => ({ kind, lines: all[kind] }));
}

/** The words that the asking state has read when it looks for word t. */
function read({ target }, name, t) {
  return ["⟨start⟩", ...target].slice(0, name === "Bahdanau" ? t - 1 : t);
}

function decoder(data, name, { word, at }, top, width) {
  const t = word + 1;
  const wide = (width - 3 * 14) / EVENTS;
  const looked = KINDS[name].indexOf("looks") <= at;
  const written = data.target.slice(0, at === EVENTS - 1 ? t : t - 1).join(" ");
  const each = width / data.source.length;
  return [
    words(0, top + 14, name, { class: "attn-strong" }),
    words(90, top + 14, `written: ${written}`, { class: "attn-muted" }),
    boxes(name, t, wide < 90).map(({ kind, lines }, k) => {
      const x = k * (wide + 14);
      const y = top + 24;
      const reached = k === at ? "attn-thumb attn-on" : "attn-thumb";
      const style = k > at ? "attn-block" : reached;
      const shown = kind === "word" && k <= at ? data.target[word] : lines[1];
      return [
        svg("rect", { class: style, x, y, width: wide, height: 46, rx: 4 }),
        words(x + wide / 2, y + 18, cut(lines[0], wide + 6), {
          anchor: "middle",
          class: k > at ? "attn-muted attn-small" : "attn-small",
        }),
        words(x + wide / 2, y + 36, cut(shown, wide + 6), {
          anchor: "middle",
          class: k > at ? "attn-muted" : "attn-strong",
        }),
        k > 0 && words(x - 7, y + 28, "→", { anchor: "middle", class: "attn-muted" }),
      ];
    }),
    data.source.map((source, j) => {
      const weight = data.weights[word][j];
      const x = each * j;
      const bar = { x, y: top + 100, height: 12, width: Math.max(1, (each - 44) * weight) };
      return [
        words(x, top + 94, source, { class: looked ? "attn-label" : "attn-muted" }),
        looked && svg("rect", { class: "attn-bar", ...bar }),
        looked && words(x + bar.width + 4, top + 110, number(weight, 1), { class: "attn-small" }),
      ];
    }),
  ];
}

function draw({ data, state, width }) {
  const now = { word: Math.floor(state.event / EVENTS), at: state.event % EVENTS };
  return [
    decoder(data, "Bahdanau", now, 0, width),
    decoder(data, "Luong", now, ROW, width),
  ];
}

function say({ data, state }) {
  const t = Math.floor(state.event / EVENTS) + 1;
  const at = state.event % EVENTS;
  const parts = Object.entries(KINDS).map(([name, kinds]) => {
    const asks = `s${lower(name === "Bahdanau" ? t - 1 : t)}`;
    const has = read(data, name, t);
    const what = {
      looks: `${asks} looks; it has read ${has.length ? has.join(" ") : "no target word"}`,
      context: `the weights make c${lower(t)}`,
      step: `the step reads ${name === "Bahdanau" ? `y${lower(t - 1)} and c${lower(t)}` : `y${lower(t - 1)} alone`}`,
      word: `“${data.target[t - 1]}” is written`,
    };
    return `${name}: ${what[kinds[at]]}.`;
  });
  return `Word ${t}. ${parts.join(" ")}`;
}

export default {
  render(view) {
    const last = view.model.get("data").target.length * EVENTS - 1;
    return stage(view, {
      draw,
      say,
      controls: [
        steps("event", last, (now, end) => `event ${now + 1} of ${end + 1}`),
        play("event", last),
      ],
    });
  },
};
