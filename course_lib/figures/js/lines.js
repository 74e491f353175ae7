// Lines from each word that was written to the words that it looked at, thick by weight. It stands
// behind map.js, whose matrix shows the same weights.

const LEAST = 0.06; // a thinner line is left out
const pen = globalThis.document?.createElement("canvas").getContext("2d");

/** Pixels of a word in the face of the drawing. */
function wide(text, size, style = "") {
  const face = getComputedStyle(document.querySelector(".attn-figure")).getPropertyValue("--voice");
  pen.font = `${style} ${size}px ${face || "serif"}`;
  return pen.measureText(text).width;
}

/** Whether two written words stand without a space: "l'" and "homme", "vas" and "-tu". */
const unspaced = (before, after) => before?.endsWith("'") || after?.startsWith("-");

/** The middles of words side by side, centred in a width; `long` is how much of it they take. */
function inARow(texts, size, width, style) {
  const gaps = texts.map((text, i) => (i ? size * (unspaced(texts[i - 1], text) ? 0.06 : 0.5) : 0));
  const sizes = texts.map((text) => wide(text, size, style));
  const long = sizes.reduce((sum, one, i) => sum + one + gaps[i], 0);
  let x = (width - long) / 2;
  const middles = sizes.map((one, i) => (x += gaps[i] + one) - one / 2);
  return { long, middles };
}

/** Two sentences one above the other, or nothing where they are too long for a width. */
function across({ rows, columns, width, height }) {
  for (const size of [30, 26, 22, 19, 16]) {
    const read = inARow(columns, size, width);
    const said = inARow(rows, size, width, "italic");
    if (Math.max(read.long, said.long) > width) continue;
    const low = Math.min(height - size * 0.4, size * 2 + 150);
    const bend = (a, b) => [[a[0], (a[1] + b[1]) / 2], [b[0], (a[1] + b[1]) / 2]];
    return {
      size, bend, anchor: ["middle", "middle"],
      read: read.middles.map((x) => ({ text: [x, size], end: [x, size * 1.35] })),
      said: said.middles.map((x) => ({ text: [x, low], end: [x, low - size] })),
    }; // prettier-ignore
  }
  return undefined;
}

/** Two columns, for what no line holds: read on the left, written on the right. */
function columnsOf({ rows, columns, width, height }) {
  const pitch = Math.min(28, height / Math.max(rows.length, columns.length));
  const size = Math.min(18, pitch * 0.86);
  const left = Math.max(...columns.map((text) => wide(text, size))) + 4;
  const right = Math.min(width - Math.max(...rows.map((text) => wide(text, size, "italic"))) - 4, left + 260);
  const at = (count, i) => pitch * (i + 0.5 + (Math.max(rows.length, columns.length) - count) / 2);
  const bend = (a, b) => [[(a[0] + b[0]) / 2, a[1]], [(a[0] + b[0]) / 2, b[1]]];
  const place = (count, x, step) => (_unused, i) => {
    const y = at(count, i);
    return { text: [x, y + size * 0.32], end: [x + step, y] };
  };
  return {
    size, bend, anchor: ["end", "start"],
    read: columns.map(place(columns.length, left, 6)),
    said: rows.map(place(rows.length, right, -6)),
  }; // prettier-ignore
}

/**
 * The two sentences and their lines in a box of pixels. `focus` { row } is drawn in the second colour,
 * the others then pale; rows from `shown` on are not written yet; `fresh` is the row being written;
 * `strange` are columns that the model has never read.
 */
function lines({ weights, focus, shown = Infinity, fresh, strange = [], ...box }) {
  const { rows, columns } = box;
  const { size, bend, read, said, anchor } = across(box) ?? columnsOf(box);
  const state = (row) => (focus ? (focus.row === row ? "attn-on" : "attn-off") : "");
  const line = (row, column) => {
    const weight = weights[row][column];
    if (weight < LEAST) return false;
    const [a, b] = [read[column].end, said[row].end];
    const [one, two] = bend(a, b);
    return svg("path", {
      class: `attn-thread ${state(row)}${row === fresh ? " attn-fresh" : ""}`, pathLength: 1,
      d: `M${b}C${two} ${one} ${a}`, style: `--w: ${weight.toFixed(3)}`,
    }); // prettier-ignore
  };
  const written = rows.map((_unused, i) => i).filter((i) => i < shown);
  return [
    written.filter((row) => focus?.row !== row).map((row) => columns.map((_unused, j) => line(row, j))),
    focus && focus.row < shown && columns.map((_unused, j) => line(focus.row, j)),
    columns.map((text, j) => {
      const seen = focus && weights[focus.row]?.[j] >= 0.25 ? " attn-seen" : "";
      const kind = `attn-voice${seen}${strange.includes(j) ? " attn-strange" : ""}`;
      return words(...read[j].text, text, { anchor: anchor[0], class: kind, "font-size": size });
    }),
    written.map((row) => [
      words(...said[row].text, rows[row], { anchor: anchor[1], class: `attn-voice attn-said-word ${state(row)}`, "font-size": size }),
      svg("rect", handle(said[row], rows[row], size, anchor[1], row)),
    ]),
  ];
}

/** Where a finger finds a written word. */
function handle({ text: [x, y] }, word, size, anchor, row) {
  const width = Math.max(24, wide(word, size, "italic") + 8);
  const left = anchor === "middle" ? x - width / 2 : x - 4;
  return { class: "attn-grip", "data-row": row, x: left, y: y - size * 1.1, width, height: size * 1.6 };
}

/** Arrow keys go from word to word. */
function lineKeys(event, { state, data, set }) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const row = Math.min(data.rows.length - 1, Math.max(0, state.row + step));
  set({ row, column: null });
}

/** A tap on a written word. */
function pickWord(event, { set }) {
  const word = event.target.closest("[data-row]");
  if (word) set({ row: Number(word.dataset.row), column: null });
}

/** Two or three buttons, one of which is pressed: its value is state[key]. */
function toggle(key, options) {
  const buttons = options.map(([value, text]) => html("button", { type: "button", "data-value": value }, text));
  return {
    node: html("div", { class: "attn-control attn-toggle", role: "group" }, buttons),
    listen: (set) => buttons.forEach((button) =>
      button.addEventListener("click", () => set({ [key]: button.dataset.value }))),
    show: (state) => buttons.forEach((button) =>
      button.setAttribute("aria-pressed", String(button.dataset.value === state[key]))),
  };
}

/** Two ways to look at the same weights; the lines first. */
const lookedAt = () => toggle("view", [["lines", _("lines")], ["map", _("matrix")]]);
