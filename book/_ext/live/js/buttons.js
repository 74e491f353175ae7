// A button below each cell that Python can run in the page, and its code as a field.
// Nothing more is loaded before a reader types or clicks, or where a text is kept.
"use strict";

{
  const { _ } = window.attn;
  const { src, dataset } = document.currentScript;
  const live = { base: src.slice(0, src.lastIndexOf("/") + 1), name: dataset.page };
  window.attn.live = live;

  live.load = (file) =>
    new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = live.base + file;
      script.addEventListener("load", done);
      script.addEventListener("error", () => {
        script.remove(); // so that the next click asks again
        failed(new Error(_("{file} could not be loaded. Try again.", { file })));
      });
      document.head.append(script);
    });

  let ready = null;
  live.ready = () =>
    (ready ??= live.load(`${live.name}.js`).then(() => live.load("editor.js"))).catch((error) => {
      ready = null;
      throw error;
    });

  // Buttons, and beside them what went wrong at the last press.
  function bar(labels) {
    const node = document.createElement("div");
    node.className = "attn-live";
    const says = document.createElement("span");
    says.setAttribute("role", "status");
    for (const [label, press] of labels) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      const size = dataset.megabytes;
      button.title = _("Starts Python here: {size} MB, once. Nothing is sent anywhere.", { size });
      button.addEventListener("click", async () => {
        says.textContent = "";
        try {
          if (!live.run) await live.load("session.js");
          await live.ready();
          await press();
        } catch (error) {
          says.textContent = error.message;
        }
      });
      node.append(button);
    }
    node.append(says);
    return node;
  }

  function field(code, n) {
    code.contentEditable = "plaintext-only";
    if (!code.isContentEditable) code.contentEditable = "true"; // older browsers
    code.spellcheck = false;
    code.tabIndex = 0;
    code.setAttribute("role", "textbox");
    code.setAttribute("aria-multiline", "true");
    code.setAttribute("aria-label", _("Code {n}. Escape, then Tab leaves it.", { n }));
    code.addEventListener("focus", () => live.ready().catch(() => {})); // else Run tries again
  }

  // A chapter's cells are worth running where they print text or show a figure that Python can
  // compute anew; all of an exercise's are.
  const chosen = document.querySelector("div.cell.tag_live");
  const cells = document.querySelectorAll(chosen ? "div.cell.tag_live" : "div.cell");
  const shows = ".output.stream, .output.text_plain, .attn-table, attn-online, attn-encoder-decoder";
  let n = 0;
  live.html = new Map(); // the code of each cell as it came, with its colours
  for (const cell of cells) {
    const code = cell.querySelector(".cell_input pre");
    if (!code) continue;
    live.html.set(cell, code.innerHTML);
    if (!cell.querySelector(live.name.startsWith("exercises-") ? "*" : shows)) continue;
    const run = [_("Run"), () => live.run(cell)];
    const all = [_("Run all to here"), () => live.run(cell, true)];
    const node = bar(n ? [run, all] : [run]);
    const told = _("The code can be changed: click into it and type. Escape, then Tab leaves it.");
    if (!n) node.append(told);
    cell.querySelector(".cell_input").after(node);
    field(code, ++n);
  }
  if (Object.keys(window.attn.record(`live.${live.name}`)).length) live.ready().catch(() => {});
}
