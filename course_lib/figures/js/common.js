// What every figure shares. It stands in front of each figure's module, in Jupyter and on a page.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== false));
  return node;
}

/** An element of SVG: svg("rect", { x: 1 }). Children may be nested lists. */
function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** An element of HTML. */
function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Words at (x, y). `anchor`: start, middle or end. */
function words(x, y, text, { anchor = "start", ...attributes } = {}) {
  return svg("text", { x, y, "text-anchor": anchor, ...attributes }, String(text));
}

const MIDDLE = { anchor: "middle", class: "attn-small" };
const minus = (text) => text.replace("-", "−");
const number = (value, digits = 3) => minus(value.toFixed(digits));

function softmax(scores, temperature = 1) {
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp((score - top) / temperature));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** Pixels that the longest of some labels needs, no more than `most`. */
function room(labels, most) {
  return Math.min(most, 10 + 7.2 * Math.max(...labels.map((label) => label.length)));
}

/** A label cut to a number of pixels. */
function cut(label, pixels) {
  const fits = Math.max(1, Math.floor(pixels / 7.2));
  return label.length <= fits ? label : `${label.slice(0, Math.max(1, fits - 1))}…`;
}

/** Make the children of `old` like `fresh`, keeping the nodes, and with them focus and pointer. */
function morph(old, fresh) {
  const before = [...old.childNodes];
  fresh.forEach((node, i) => {
    const kept = before[i];
    if (!kept) old.append(node);
    else if (kept.nodeName !== node.nodeName) kept.replaceWith(node);
    else if (node.nodeType === Node.TEXT_NODE) {
      if (kept.nodeValue !== node.nodeValue) kept.nodeValue = node.nodeValue;
    } else {
      for (const { name } of [...kept.attributes]) {
        if (!node.hasAttribute(name)) kept.removeAttribute(name);
      }
      for (const { name, value } of [...node.attributes]) {
        if (kept.getAttribute(name) !== value) kept.setAttribute(name, value);
      }
      morph(kept, [...node.childNodes]);
    }
  });
  for (const surplus of before.slice(fresh.length)) surplus.remove();
}

/** A slider for state[key]. `from` and `to` map its position to the value and back. */
function range(key, label, { min, max, step, text, from = Number, to = Number }) {
  const input = html("input", { type: "range", min, max, step, "aria-label": label });
  const output = html("output");
  return {
    node: html("div", { class: "attn-control attn-slide" }, html("span", {}, label), input, output),
    listen: (set) => input.addEventListener("input", () => set({ [key]: from(input.value) })),
    show(state) {
      const there = String(to(state[key]));
      if (input.value !== there) input.value = there;
      output.textContent = text(state[key]);
      input.setAttribute("aria-valuetext", text(state[key]));
    },
  };
}

/** Previous and next through state[key] = 0 … last. A button at its end stays in the tab order. */
function steps(key, last, text) {
  const back = html("button", { type: "button" }, "← Previous");
  const forth = html("button", { type: "button" }, "Next →");
  const where = html("span", { class: "attn-where" });
  let now = 0;
  let end = 0;
  return {
    node: html("div", { class: "attn-control" }, back, forth, where),
    listen(set) {
      back.addEventListener("click", () => now > 0 && set({ [key]: now - 1 }));
      forth.addEventListener("click", () => now < end && set({ [key]: now + 1 }));
    },
    show(state) {
      end = typeof last === "function" ? last(state) : last;
      now = Math.min(state[key], end);
      back.setAttribute("aria-disabled", now === 0);
      forth.setAttribute("aria-disabled", now === end);
      where.textContent = text(now, end);
    },
  };
}

/** One of several for state[key]; options are [value, text]. `also` is set with it. */
function choice(key, label, options, also = {}) {
  const select = html(
    "select",
    {},
    options.map(([value, text]) => html("option", { value: String(value) }, text)),
  );
  const find = () => options.find(([value]) => String(value) === select.value)[0];
  return {
    node: html("label", { class: "attn-control" }, html("span", {}, label), select),
    listen: (set) => select.addEventListener("change", () => set({ [key]: find(), ...also })),
    show(state) {
      select.value = String(state[key]);
    },
  };
}

/**
 * A map of weights: rows are queries, columns are keys, heavier is darker, in a box of pixels.
 * `focus` { row, column } is framed; `shown(row, column)` leaves cells empty.
 */
function heat({ weights, rows, columns, x = 0, y = 0, width, height, focus, shown = () => true }) {
  const left = x + room(rows, width * 0.3);
  const wide = (x + width - left) / columns.length;
  const upright = room(columns, 999) - 6 <= wide;
  const top = y + (upright ? 24 : 66);
  const high = (y + height - top) / rows.length;
  const labels = (names, kind, at) =>
    names.map((name, i) => {
      const strong = focus && i === focus[kind];
      return at(name, i, strong ? "attn-strong" : "attn-label");
    });
  const cell = (row, column) => {
    const weight = weights[row][column];
    const [cx, cy] = [left + wide * column, top + high * row];
    const fits = wide >= 32 ? number(weight, 2) : wide >= 16 && String(Math.round(weight * 100));
    const box = { x: cx, y: cy, width: wide, height: high, "data-row": row, "data-column": column };
    if (!shown(row, column)) return svg("rect", { class: "attn-hidden", ...box });
    return [
      svg("rect", { class: "attn-cell", style: `--w: ${weight}`, ...box }),
      fits && weight >= 0.005 && words(cx + wide / 2, cy + high / 2 + 4, fits, MIDDLE),
    ];
  };
  return [
    labels(rows, "row", (name, i, kind) =>
      words(left - 6, top + high * (i + 0.5) + 4, cut(name, left - x - 6), { anchor: "end", class: kind }),
    ),
    labels(columns, "column", (name, i, kind) => {
      const middle = left + wide * (i + 0.5);
      if (upright) return words(middle, top - 8, name, { ...MIDDLE, class: kind });
      const turn = `rotate(-60 ${middle + 4} ${top - 6})`;
      return words(middle + 4, top - 6, cut(name, 62), { class: kind, transform: turn });
    }),
    rows.map((_, row) => columns.map((_, column) => cell(row, column))),
    focus && [
      svg("rect", { class: "attn-frame", x: left, y: top + high * focus.row, width: x + width - left, height: high }),
      svg("rect", { class: "attn-frame", x: left + wide * focus.column, y: top, width: wide, height: high * rows.length }),
    ],
  ];
}

/** What focuses a cell of a map: the pointer over it, and the arrow keys. */
const mapListeners = {
  keydown(event, { data, state, set }) {
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const [down, right] = moves[event.key];
    const within = (i, count) => Math.min(count - 1, Math.max(0, i));
    const row = within(state.row + down, data.rows.length);
    set({ row, column: within(state.column + right, data.columns.length) });
  },
  pointermove: (event, all) => focusCell(event, all),
  pointerdown: (event, all) => focusCell(event, all),
};

function focusCell(event, { state, set }) {
  const cell = event.target.closest("[data-row]");
  if (!cell) return;
  const [row, column] = [Number(cell.dataset.row), Number(cell.dataset.column)];
  if (row !== state.row || column !== state.column) set({ row, column });
}

/** A row of a map in words. */
function sayRow(weights, { rows, columns }, { row, column }) {
  const order = weights[row].map((weight, i) => [weight, i]).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const most = order.slice(0, 2).map(([weight, i]) => `“${columns[i]}” (${number(weight, 2)})`);
  return (
    `“${rows[row]}” gives “${columns[column]}” the weight ${number(weights[row][column])}. ` +
    `It looks most at ${most.join(", then at ")}.`
  );
}

/**
 * The loop of a figure: state → draw and say; controls, keys and pointer → state.
 * `draw` gets { data, state, width, height } and returns SVG nodes; `say` returns a sentence.
 * `on` holds listeners of the drawing: (event, { data, state, set, x, y }).
 */
function stage({ model, el }, { draw, say, controls = [], on = {}, paper: extra = {} }) {
  const data = model.get("data");
  const paper = svg("svg", {
    class: "attn-paper",
    role: "img",
    height: data.height,
    "aria-label": data.label,
    ...extra,
  });
  const said = html("p", { class: "attn-said", "aria-live": "polite" });
  const panel = html("div", { class: "attn-controls" }, controls.map(({ node }) => node));
  const set = (patch) => {
    model.set("state", { ...model.get("state"), ...patch });
    model.save_changes();
  };
  const paint = () => {
    const state = model.get("state");
    const width = Math.max(240, paper.clientWidth || 640);
    morph(paper, [draw({ data, state, width, height: data.height })].flat(Infinity).filter(Boolean));
    for (const control of controls) control.show(state);
    const sentence = say({ data, state });
    if (said.textContent !== sentence) said.textContent = sentence;
  };
  for (const control of controls) control.listen(set);
  for (const [name, listener] of Object.entries(on)) {
    paper.addEventListener(name, (event) => {
      const box = paper.getBoundingClientRect();
      const place = { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width };
      listener(event, { data, state: model.get("state"), set, paper, ...place });
    });
  }
  el.classList.add("attn-figure");
  el.replaceChildren(paper, ...(controls.length ? [panel] : []), said);
  model.on("change:state", paint);
  const watch = new ResizeObserver(paint);
  watch.observe(paper);
  paint();
  return () => watch.disconnect();
}
