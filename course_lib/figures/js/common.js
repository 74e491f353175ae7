// What every figure shares. It stands in front of each figure's module, in Jupyter and on a page.
"use strict";

/** A sentence in the page's language, with its {values}; in Jupyter as it stands. */
const _ = (text, values = {}) =>
  globalThis.attn?._?.(text, values) ??
  Object.entries(values).reduce((said, [name, value]) => said.replaceAll(`{${name}}`, value), text);

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

/** An arrow from one point to another; `kind` is a class for its colour, with a space before it. */
function arrow([x1, y1], [x2, y2], kind) {
  const long = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = long > 0 ? [(x2 - x1) / long, (y2 - y1) / long] : [0, 0];
  const back = [x2 - 11 * ux, y2 - 11 * uy];
  const wing = (side) => `${back[0] - side * 5 * uy} ${back[1] + side * 5 * ux}`;
  const tip = long > 12 && `M${x2} ${y2}L${wing(1)}L${wing(-1)}Z`;
  return svg("g", { class: `attn-arrow${kind}` }, [
    svg("line", { x1, y1, x2: long > 12 ? back[0] : x2, y2: long > 12 ? back[1] : y2 }),
    tip && svg("path", { d: tip }),
  ]);
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
    else if (kept.isEqualNode(node)) return;
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
  const back = html("button", { type: "button" }, _("← Previous"));
  const forth = html("button", { type: "button" }, _("Next →"));
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

/** A button that moves state[key] on by itself, a step a beat, up to `last`; and stops again. */
function play(key, last, beat = 1400) {
  const button = html("button", { type: "button" }, _("Play"));
  let now = 0;
  let end = 0;
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    button.textContent = _("Play");
  };
  return {
    node: html("div", { class: "attn-control" }, button),
    listen(set) {
      button.addEventListener("click", () => {
        if (timer) return stop();
        set({ [key]: now < end ? now + 1 : 0 }); // at the end it begins again
        button.textContent = _("Stop");
        timer = setInterval(() => {
          if (now >= end || !button.isConnected) return stop();
          set({ [key]: now + 1 });
        }, beat);
      });
    },
    show(state) {
      end = typeof last === "function" ? last(state) : last;
      now = Math.min(state[key], end);
      if (timer && now >= end) stop();
    },
    rest: () => timer && stop(),
  };
}

/** A button that stops what moves by itself and puts the figure back as it came, to the state `first`. */
function reset(first, controls) {
  const button = html("button", { type: "button" }, _("Reset"));
  return {
    node: html("div", { class: "attn-control" }, button),
    listen: (set) =>
      button.addEventListener("click", () => {
        for (const control of controls) control.rest?.();
        set(first);
      }),
    show() {},
  };
}

/** One of several for state[key]; options are [value, text]. `also` is set with it. */
function choice(key, label, options, also = {}) {
  const select = html(
    "select",
    { "aria-label": label },
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
 * The loop of a figure: state → draw and say; controls, keys and pointer → state.
 * `draw` gets { data, state, width, height } and returns SVG nodes; `say` returns a sentence.
 * Behind the controls stands a reset, back to the state in which the figure came; it calls the `rest`
 * of each control that moves something by itself. `above` are controls before the drawing.
 * `on` holds listeners of the drawing: (event, { data, state, set, x, y }).
 */
function stage({ model, el }, { draw, say, above = [], controls = [], on = {}, paper: extra = {} }) {
  const data = model.get("data");
  const paper = svg("svg", {
    class: "attn-paper",
    role: "img",
    height: data.height,
    "aria-label": data.label,
    ...extra,
  });
  const said = html("p", { class: "attn-said", "aria-live": "polite" });
  const below = [...controls, reset(model.get("state"), controls)];
  const all = [...above, ...below];
  const panel = html("div", { class: "attn-controls" }, below.map(({ node }) => node));
  const set = (patch) => {
    model.set("state", { ...model.get("state"), ...patch });
    model.save_changes();
  };
  let painted = 0; // the width of the paper when it was last painted
  const paint = () => {
    const state = model.get("state");
    painted = paper.clientWidth;
    const width = Math.max(240, painted || 640);
    const drawn = [draw({ data, state, width, height: data.height })];
    morph(paper, drawn.flat(Infinity).filter(Boolean));
    for (const control of all) control.show(state);
    const sentence = say({ data, state });
    if (said.textContent !== sentence) said.textContent = sentence;
  };
  for (const control of all) control.listen(set);
  for (const [name, listener] of Object.entries(on)) {
    paper.addEventListener(name, (event) => {
      const box = paper.getBoundingClientRect();
      const place = { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width };
      listener(event, { data, state: model.get("state"), set, paper, ...place });
    });
  }
  el.classList.add("attn-figure");
  // JupyterLab's arrows go to the next cell, and its d d deletes one: our keys are not its keys.
  el.addEventListener("keydown", (event) => event.stopPropagation());
  el.replaceChildren(...above.map(({ node }) => node), paper, panel, said);
  model.on("change:state", paint);
  const watch = new ResizeObserver(() => paper.clientWidth !== painted && paint());
  watch.observe(paper);
  document.fonts?.ready.then(paint); // words are measured in the face that they are shown in
  paint();
  return () => watch.disconnect();
}
