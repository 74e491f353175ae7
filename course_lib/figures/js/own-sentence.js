// A sentence of the reader's own: trained models write what follows from it, word by word, and those
// that attend show where they looked.
const BEAT = 170; // milliseconds a word
const NBSP = "\u00a0";
const KINDS = {
  recurrent: RecurrentTranslator,
  transformer: TransformerTranslator,
  language: LanguageModelWriter,
};

const calm = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;

/** The models, unpacked when they are first asked, and what each has written, by sentence. */
function writers(data) {
  const models = [];
  for (const one of data.models) {
    const { source, target } = models[one.words] ?? {};
    const model = { source, target, ...models[one.like], ...one }; // the words, or all, of another
    models.push({ ...model, runs: new KINDS[model.kind](model) });
  }
  const told = new Map();
  return (words) => {
    const key = words.join(" ");
    if (!told.has(key)) {
      told.set(key, models.map(({ name, kind, runs, source, target }) => {
        const tokens = words.map((word) => Math.max(source.indexOf(word), UNK));
        const limit = kind === "language" ? 16 : 2 * words.length + 10;
        const written = words.length ? runs.write(tokens, { limit, width: data.width }) : [];
        const rows = written.map(({ token, weights }) => (token === UNK
          ? { word: copied(words, weights), weights, unknown: true } : { word: target[token], weights }));
        const flaw = kind === "language" || data.letters ? ""
          : flawOf(rows.map(({ word }) => word), words, limit);
        const before = kind === "language" ? ["<start>", ...words, ...rows.map(({ word }) => word)] : words;
        const columns = kind === "language" ? before.slice(0, -1) : words;
        return { name, rows, columns, flaw, looks: rows.some(({ weights }) => weights) };
      }));
    }
    return told.get(key);
  };
}

/** What stands for a word that the model cannot say: the one it looked at, if it looks at all. */
function copied(words, weights) {
  const row = rowWeights(weights, "mean", words.length);
  return row.length ? words[row.indexOf(Math.max(...row))] : "(?)";
}

/** A row of weights: that of the chosen head, or the mean of all; nothing is given to what comes later. */
function rowWeights(weights, head, length) {
  if (!weights) return [];
  const maps = typeof weights[0] === "number" ? [weights] : weights;
  const chosen = maps[head] ? [maps[head]] : maps;
  return Array.from({ length }, (_unused, j) =>
    chosen.reduce((sum, map) => sum + (map[j] ?? 0), 0) / chosen.length);
}

/** The map that is shown: which model's, its rows, and where the reader is in it. */
function mapOf(state, written) {
  const told = written(state.words);
  const first = told.findIndex(({ looks }) => looks);
  const model = told[state.model]?.looks ? state.model : Math.max(first, 0);
  const { rows, name, columns } = told[model];
  const done = state.kept >= rows.length;
  const row = Math.min(state.row ?? state.kept - 1, rows.length - 1);
  const weights = rows.map((one) => rowWeights(one.weights, state.head, columns.length));
  const column = state.column ?? weights[row]?.indexOf(Math.max(...weights[row]));
  return {
    model, name, done, weights, rows: rows.map(({ word }) => word), columns,
    several: told.filter(({ looks }) => looks).length > 1,
    focus: row < 0 || (state.row === null && done) ? undefined : { row, column },
  };
}

/** What each model writes; a word of one that attends shows its row. */
function outputs(data, written) {
  const lines = data.models.map(({ name }, i) => {
    const place = html("span", { class: "attn-own-words", lang: data.language });
    const kind = i ? "attn-own-line" : "attn-own-line attn-own-first";
    const flaw = html("span", { class: "attn-own-flaw" });
    return { place, flaw, node: html("p", { class: kind }, html("span", {}, name), " ", place, flaw) };
  });
  const heard = html("p", { class: "attn-own-heard", role: "status" });
  let timer = 0;
  let turn = () => {};
  const word = (text, i, model, map, kind) =>
    map.weights
      ? html("button", {
          type: "button", "data-row": i, "data-model": model, class: kind || undefined,
          "aria-pressed": String(map.model === model && map.focus?.row === i),
        }, text)
      : html("span", { class: kind }, kind.includes("attn-own-tight") ? text : ` ${text}`);
  return {
    node: html("div", { class: "attn-own-out" }, lines.map(({ node }) => node), heard),
    listen(set) {
      turn = set;
      for (const { place } of lines) {
        place.addEventListener("click", ({ target }) => {
          const { row, model } = target.dataset;
          if (row) set({ row: Number(row), model: Number(model), column: null });
        });
      }
    },
    show(state) {
      const told = written(state.words);
      const map = mapOf(state, written);
      const whole = Math.max(...told.map(({ rows }) => rows.length));
      told.forEach(({ rows, looks, flaw }, model) => {
        const parts = rows.findIndex((one, i) => one.word !== told[0].rows[i]?.word);
        const shown = rows.slice(0, state.kept).map(({ word: text, unknown }, i) => {
          const other = model > 0 && parts >= 0 && i >= parts && "attn-own-other";
          const kinds = [other, unknown && "attn-own-copied", unspaced(rows[i - 1]?.word, text) && "attn-own-tight"];
          return word(text, i, model, looks ? map : {}, kinds.filter(Boolean).join(" "));
        });
        morph(lines[model].place, shown);
        lines[model].flaw.textContent = state.kept < rows.length ? "" : flaw;
      });
      const says = ({ name, rows, flaw }) => `${name}: ${rows.map((one) => one.word).join(" ")}. ${flaw}`.trim();
      const all = state.kept < whole ? "" : told.map(says).join(" ");
      if (heard.textContent !== all) heard.textContent = all;
      clearTimeout(timer);
      const on = () => lines[0].place.isConnected && turn({ kept: state.kept + 1 });
      if (state.kept < whole) timer = setTimeout(on, state.kept ? BEAT : 0); // the first at once
    },
  };
}

/** Every head of a Transformer, by its number among all: [[0, "layer 1, head 1"], …]. */
const names = ({ layers, heads }) =>
  Array.from({ length: layers * heads }, (_unused, i) =>
    [i, _("layer {l}, head {h}", { l: Math.floor(i / heads) + 1, h: (i % heads) + 1 })]);

function draw({ state, width, height }, written, known) {
  const { rows, columns, weights, focus, name, several } = mapOf(state, written);
  if (!rows.length || !weights[0].length) return [];
  const longest = Math.max(5, ...rows.map((word) => word.length)); // so that no row moves the map
  const labels = rows.map((word, i) => (i < state.kept ? word : NBSP).padStart(longest, NBSP));
  const y = several ? 18 : 0;
  if (state.view === "lines") {
    const read = columns.map((word) => (word === "i" ? "I" : word));
    const strange = columns.map((word, j) => (known.has(word) ? -1 : j));
    const fresh = state.kept < rows.length ? state.kept - 1 : -1;
    return [
      several && words(0, 13, name, { class: "attn-muted" }),
      svg("g", { transform: `translate(0 ${y})` },
        lines({ rows, columns: read, weights, focus, shown: state.kept, fresh, strange, width, height: height - y })),
    ];
  }
  const tall = Math.min(height - y, 66 + 28 * rows.length);
  const box = { rows: labels, columns, y, width: Math.min(width, 90 + 62 * columns.length), height: tall };
  return [
    several && words(0, 13, name, { class: "attn-muted" }),
    heat({ ...box, weights, focus, least: 0.05, shown: (row) => row < state.kept }),
  ];
}

export default {
  render(view) {
    const data = view.model.get("data");
    const known = data.models[0].source.slice(END + 1);
    const goesOn = data.beginning || data.letters;
    const readable = new Set([...known, "<start>"]);
    const looking = data.models.flatMap(({ score, name }, i) => (score === "none" ? [] : [[i, name]]));
    const read = (data.letters ? letterReader : sentenceReader)({ ...data, known });
    const written = writers(data);
    const state = () => view.model.get("state");
    /** The state that shows these words; what the old translation begins with is not written anew. */
    const tell = (now) => {
      const [old, fresh] = [state().words, now].map((one) => written(one)[0].rows);
      const parts = fresh.findIndex(({ word }, i) => word !== old[i]?.word);
      const kept = calm() ? 999 : parts < 0 ? fresh.length : Math.min(parts, state().kept);
      return { words: now, kept, row: null, column: null };
    };
    const examples = steps("example", data.examples.length - 1, (now, last) =>
      _("example {now} of {all}", { now: now + 1, all: last + 1 }));
    const example = (set) => ({ example: at }) => {
      const text = data.examples[at];
      set({ example: at, text, ...tell(read(text).words) });
    };
    const whose = choice("model", _("map of"), looking, { row: null, column: null });
    if (calm()) view.model.set("state", { ...state(), kept: 999 });
    const full = (all) => {
      const map = mapOf(all.state, written);
      return { ...all, data: { ...data, ...map }, state: { ...all.state, row: 0, column: 0, ...map.focus } };
    };
    const heads = data.models[0].heads
      ? [choice("head", _("head"), [["mean", _("the mean of all")], ...names(data.models[0])])] : [];
    return stage(view, {
      above: [sentenceField(data, read, tell, known), outputs(data, written)],
      controls: [
        ...(goesOn ? [] : [lookedAt()]),
        ...(data.examples.length > 1
          ? [{ ...examples, listen: (set) => examples.listen(example(set)) }] : []),
        ...heads,
        ...(looking.length > 1 ? [{ ...whose, show: (now) => whose.show(mapOf(now, written)) }] : []),
      ],
      draw: (all) => draw(all, written, readable),
      say(all) {
        const map = mapOf(all.state, written);
        if (!map.done || !map.weights.length) return "";
        return map.focus ? sayRow(map.weights, map, map.focus) : data.hint;
      },
      paper: { role: "application", tabindex: 0 },
      on: {
        keydown: (event, all) =>
          (all.state.view === "lines" ? lineKeys : mapListeners.keydown)(event, full(all)),
        pointerdown: (event, all) => (all.state.view === "lines" ? pickWord : mapListeners.pointerdown)(event, full(all)),
      },
    });
  },
};
