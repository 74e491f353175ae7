// What the reader chose and did, kept in this browser and nowhere else.
"use strict";

window.attn = {};
{
  // What a sentence is in the page's language, and then its {values}.
  const known = JSON.parse(document.getElementById("attn-words")?.textContent ?? "{}");
  window.attn._ = (text, values = {}) =>
    Object.entries(values).reduce(
      (said, [name, value]) => said.replaceAll(`{${name}}`, value),
      known[text] ?? text,
    );
  const { _ } = window.attn;

  const memory = {};
  const listeners = [];
  let told = false;
  let kept = null;
  try {
    kept = window.localStorage; // or the stand-in that templates/layout.html puts there
    kept.getItem("attn.level");
  } catch {
    kept = null;
  }

  // A browser that keeps nothing is mentioned once, when there is first something to keep.
  function tell() {
    if (told) return;
    told = true;
    const note = document.createElement("div");
    note.className = "attn-note";
    note.setAttribute("role", "status");
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = _("Close");
    close.addEventListener("click", () => note.remove());
    (document.querySelector("main") ?? document.body).append(note);
    note.append(
      _(
        "Your browser does not let this book keep anything. " +
          "Your level and your progress last until you leave this page.",
      ),
      " ",
      close,
    );
  }

  window.attn.get = (key) => {
    if (!(key in memory)) {
      try {
        memory[key] = JSON.parse(kept.getItem(`attn.${key}`));
      } catch {
        memory[key] = null; // blocked, or written by something else
      }
    }
    return memory[key];
  };

  window.attn.put = (key, value) => {
    memory[key] = value;
    try {
      kept.setItem(`attn.${key}`, JSON.stringify(value));
      if (kept.forgets) tell();
    } catch {
      tell();
    }
    for (const listener of listeners) listener();
  };

  // A record is an object; whatever else lies under the key counts as nothing.
  window.attn.record = (key) => {
    const found = window.attn.get(key);
    return found && typeof found === "object" && !Array.isArray(found) ? { ...found } : {};
  };

  window.attn.onChange = (listener) => listeners.push(listener);

  // Another tab wrote, or this page comes back as it was left: read again.
  const again = () => {
    for (const key of Object.keys(memory)) if (kept) delete memory[key];
    for (const listener of listeners) listener();
  };
  window.addEventListener("storage", again);
  window.addEventListener("pageshow", (event) => event.persisted && again());

  const file = decodeURIComponent(location.pathname.split("/").pop());
  window.attn.page = file.replace(/\.html$/, "");
}
