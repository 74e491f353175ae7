// The page's cells as fields: what a reader types is kept and shown again; Tab, Enter and two buttons
// indent it.

{
  const { live, _ } = window.attn;
  const kept = `live.${live.name}`; // what the reader typed, by the cell's key
  const STEP = "    ";
  const places = []; // the page's cells: {number, key, source, task}; where it is shown box, code, bar
  live.editor = { places, typed, restore, input, ends, changed() {} };

  // --- which cell of the notebook stands where ---
  function came(box) {
    const code = document.createElement("pre");
    code.innerHTML = live.html.get(box) ?? "";
    return code.textContent.trim();
  }

  // FNV-1a, 32 bits: the same on every browser, at once, and without a secure context.
  function hash(text) {
    let sum = 0x811c9dc5;
    for (const byte of new TextEncoder().encode(text)) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
    return sum.toString(16).padStart(8, "0");
  }

  // What a cell is in every release of its page: an answer's task, else a hash of its source; and
  // how many cells above it are the same. Cells that a page gains or moves change no other's key.
  function keyOf({ source, task }) {
    const key = task ? `task ${task}` : `code ${hash(source.trim())}`;
    const same = places.filter((place) => place.key.startsWith(`${key} `)).length;
    return `${key} ${same}`;
  }

  function find() {
    const boxes = [...document.querySelectorAll("div.cell")];
    live.page.cells.forEach(({ source, shown, task }, number) => {
      const place = { number, source, task, key: keyOf({ source, task }) };
      const at = shown ? boxes.findIndex((box) => came(box) === source.trim()) : -1;
      if (at >= 0) {
        place.box = boxes[at];
        place.code = place.box.querySelector(".cell_input pre");
        place.bar = place.box.querySelector(".attn-live");
        boxes.splice(0, at + 1);
      }
      places.push(place);
    });
  }

  // --- what is typed ---
  function textOf(node) {
    const text = node.cloneNode(true);
    for (const end of text.querySelectorAll("br")) end.replaceWith("\n"); // Enter, in some browsers
    return text.textContent;
  }

  function typed({ code, source }) {
    return code ? textOf(code) : source;
  }

  function input(place) {
    place.code.dataset.typed = ""; // the colours of what stood there do not fit
    live.editor.changed(place); // what is typed now has not run
    keep(place);
  }

  function keep(place) {
    const texts = window.attn.record(kept);
    delete texts[place.number]; // the key of older releases
    delete texts[place.key];
    if (typed(place).trim() !== place.source.trim()) texts[place.key] = typed(place);
    window.attn.put(kept, texts);
  }

  function restore(place) {
    place.write?.(came(place.box));
    place.code.innerHTML = live.html.get(place.box);
    delete place.code.dataset.typed;
    place.note?.remove();
    live.editor.changed(place);
    keep(place);
    place.bar.querySelector("button").focus();
  }

  // A kept text stands in the page at load, and says what it is.
  function show(place, text) {
    place.code.textContent = text;
    place.code.dataset.typed = "";
    place.before = text;
    place.note = document.createElement("span");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = _("Restore the page's code");
    button.addEventListener("click", () => restore(place));
    place.note.append(_("What you typed, kept in this browser."), " ", button);
    place.bar.append(place.note);
  }

  // --- indenting ---
  const insert = (text) => document.execCommand("insertText", false, text);

  // Where the selection begins and ends, in characters of the text.
  function ends(code) {
    const range = getSelection().getRangeAt(0);
    const before = document.createRange();
    before.selectNodeContents(code);
    return [
      [range.startContainer, range.startOffset],
      [range.endContainer, range.endOffset],
    ].map(([node, offset]) => {
      before.setEnd(node, offset);
      return textOf(before.cloneContents()).length;
    });
  }

  // A place of the page for a number of characters.
  function pointAt(code, count) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_ALL);
    let last = [code, 0];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const size = node.nodeType === Node.TEXT_NODE ? node.length : node.nodeName === "BR" ? 1 : 0;
      if (!size) continue;
      if (node.nodeType === Node.TEXT_NODE && count <= size) return [node, count];
      count -= size;
      last = [node.parentNode, [...node.parentNode.childNodes].indexOf(node) + 1];
    }
    return last;
  }

  function select(code, start, end) {
    getSelection().setBaseAndExtent(...pointAt(code, start), ...pointAt(code, end));
  }

  function indent(code) {
    const [start, end] = ends(code);
    const text = textOf(code);
    if (!text.slice(start, end).includes("\n")) return insert(STEP);
    const from = text.lastIndexOf("\n", start - 1) + 1;
    select(code, from, end);
    const lines = text.slice(from, end).replace(/^(?=.)/gm, STEP);
    insert(lines);
    select(code, from, from + lines.length);
  }

  function dedent(code) {
    const [start, end] = ends(code);
    const text = textOf(code);
    const from = text.lastIndexOf("\n", start - 1) + 1;
    const to = text.indexOf("\n", end) < 0 ? text.length : text.indexOf("\n", end);
    const old = text.slice(from, to);
    const lines = old.replace(/^ {1,4}/gm, "");
    if (lines === old) return;
    select(code, from, to);
    if (lines) insert(lines);
    else document.execCommand("delete");
    const lost = old.length - lines.length;
    if (start === end) select(code, Math.max(from, start - lost), Math.max(from, start - lost));
    else select(code, from, from + lines.length);
  }

  // A new line begins below the one before it, or a step further in after a colon.
  function newLine(code) {
    const before = textOf(code).slice(0, ends(code)[0]).split("\n").at(-1);
    const deeper = /:\s*(#.*)?$/.test(before) ? STEP : "";
    document.execCommand("insertLineBreak");
    const inside = before.match(/^ */)[0] + deeper;
    if (inside) insert(inside);
  }

  function listen(place) {
    const { code, bar } = place;
    let leaves = false;
    code.addEventListener("keydown", (event) => {
      event.stopPropagation(); // the theme opens its search at a slash
      const plain = !event.isComposing && !event.altKey && !event.metaKey;
      if (event.key === "Tab" && !leaves && !event.shiftKey) {
        event.preventDefault();
        indent(code);
      } else if (event.key === "Enter" && (event.ctrlKey || event.shiftKey)) {
        event.preventDefault();
        bar.querySelector("button").click();
      } else if (event.key === "Enter" && plain) {
        event.preventDefault();
        newLine(code);
      }
      leaves = event.key === "Escape";
    });
    code.addEventListener("input", ({ isComposing }) => {
      place.composing = isComposing;
      input(place);
    });
    code.addEventListener("compositionend", () => (place.composing = false));
    code.addEventListener("focus", () => colour(place));
    place.indent = () => indent(code);
    place.dedent = () => dedent(code);
    place.focus = () => code.focus();
    // Keys that a phone lacks: shown while its keyboard is.
    const keys = document.createElement("span");
    keys.className = "attn-live-keys";
    for (const [label, press] of [[_("Indent"), "indent"], [_("Dedent"), "dedent"]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("pointerdown", (event) => event.preventDefault()); // the field stays
      button.addEventListener("click", () => {
        place.focus();
        place[press]();
      });
      keys.append(button, " ");
    }
    bar.append(keys);
  }

  // --- colours, where the book has the editor for them ---
  let arrives = null;

  // The editor comes when a reader first goes into a field; until it is there, and where it does not
  // arrive, the field is the browser's own.
  function colour(place) {
    if (!live.page.names) return;
    arrives ??= live.load("codemirror.js");
    arrives.then(() => take(place), () => (arrives = null));
  }

  // Not from under a word that is being composed, or a pointer that is down.
  function take(place) {
    if (place.composing || place.code.matches(":active")) setTimeout(() => take(place), 100);
    else if (!place.write) live.colour(place);
  }

  // --- an exercise, to hand in ---
  function offer() {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = _("Download this notebook with what you typed");
    button.addEventListener("click", () => {
      const notebook = structuredClone(live.page.notebook);
      const codes = notebook.cells.filter((cell) => cell.cell_type === "code");
      for (const place of places) codes[place.number].source = typed(place).trimEnd();
      const address = URL.createObjectURL(new Blob([JSON.stringify(notebook, null, 1)]));
      const link = document.createElement("a");
      link.href = address;
      link.download = `${live.name.replace("exercises-", "")}.ipynb`;
      link.click();
      URL.revokeObjectURL(address);
    });
    places.findLast(({ bar }) => bar).bar.append(button);
  }

  find();
  if (live.page.notebook) offer();
  const before = window.attn.record(kept);
  for (const place of places.filter(({ bar }) => bar)) {
    listen(place);
    place.before = came(place.box); // what undo comes back to
    const text = before[place.key] ?? before[place.number];
    const untouched = place.code.innerHTML === live.html.get(place.box);
    if (typeof text === "string" && untouched) show(place, text);
    else if (!untouched) place.code.dispatchEvent(new Event("input"));
    if (typeof text === "string" || document.activeElement === place.code) colour(place);
  }
}
