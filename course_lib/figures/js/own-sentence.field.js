// The field of a reader's own sentence: what was typed, the words to choose from, and what is said of it.

/** What is typed, once more behind the field, for the marks below its words. */
function marked(parts, text) {
  let at = 0;
  const found = parts.filter(({ unknown }) => unknown).flatMap(({ typed, from }) => {
    const before = text.slice(at, from);
    at = from + typed.length;
    return [before, html("u", {}, typed)];
  });
  return [...found, text.slice(at)];
}

/** All words that the models know, one tap away: nothing is made of them before it is opened. */
function allWords(known, put) {
  const list = html("div", { class: "attn-own-list", role: "group", "aria-label": _("All words") });
  const more = html("details", { class: "attn-own-all" },
    html("summary", {}, _("All its {n} words", { n: known.length })), list); // prettier-ignore
  more.addEventListener("toggle", () => {
    if (!more.open || list.firstChild) return;
    const sorted = [...known].sort((a, b) => a.localeCompare(b));
    list.append(...sorted.map((word) => html("button", { type: "button", "data-word": word }, word)));
  });
  list.addEventListener("click", ({ target }) => target.dataset.word && put(target.dataset.word));
  return more;
}

/**
 * The field itself. `read` is one of the readers; `tell(words)` returns the state in which they
 * are shown.
 */
function sentenceField(data, read, tell, known) {
  const input = html("input", {
    type: "text", maxlength: 240, autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    enterkeyhint: "done", "aria-label": data.asked,
  });
  const behind = html("span", { class: "attn-own-behind", "aria-hidden": "true" });
  const next = html("span", { role: "group", "aria-label": _("Words to choose") });
  const note = html("span", { class: "attn-own-note", role: "status" });
  const about = html("span", { class: "attn-own-about" }, data.about ?? "");
  const behindText = (word) => put(`${input.value.trimEnd()} ${word} `.trimStart());
  const row = html("div", { class: "attn-own-next" }, note, about, next,
    data.about ? allWords(known, behindText) : false); // prettier-ignore
  let change = () => {};
  const put = (text) => {
    input.focus({ preventScroll: true });
    change(text);
  };
  /** The text with the chosen word: behind what is there, or in the place of the one that is wrong. */
  const withWord = (word) => {
    const { wrong } = read(input.value);
    const text = input.value;
    if (!wrong) return `${text.trimEnd()} ${word} `.trimStart();
    const rest = text.slice(wrong.from + wrong.typed.length);
    return `${text.slice(0, wrong.from)}${word}${rest || " "}`;
  };
  return {
    node: html("div", { class: "attn-own-field" },
      html("label", {}, html("span", {}, data.asked), html("span", { class: "attn-own-typed" }, behind, input)), row), // prettier-ignore
    listen(set) {
      change = (text, anyway = false) => {
        const { words, stop } = read(text);
        const shown = !stop || (anyway && (stop === "unfinished" || (stop === "open" && data.copies)));
        set(shown ? { text, ...tell(words) } : { text });
      };
      input.addEventListener("input", () => change(input.value));
      input.addEventListener("scroll", () => (behind.scrollLeft = input.scrollLeft));
      input.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown") next.firstChild?.focus();
        if (event.key !== "Enter") return;
        change(input.value, true);
        const { wrong } = read(input.value);
        if (wrong && !data.copies) input.setSelectionRange(wrong.from, wrong.from + wrong.typed.length);
      });
      next.addEventListener("keydown", (event) => {
        const to = { ArrowRight: "nextSibling", ArrowLeft: "previousSibling" }[event.key];
        if (to) event.target[to]?.focus();
        if (event.key === "ArrowUp" || event.key === "Escape") input.focus();
        if (to || event.key === "ArrowUp") event.preventDefault();
      });
      next.addEventListener("click", ({ target }) => target.dataset.word && put(withWord(target.dataset.word)));
    },
    show(state) {
      if (input.value !== state.text) input.value = state.text;
      const { words, parts, offered, said } = read(state.text);
      input.closest(".attn-figure")?.classList.toggle("attn-own-stale", words.join(" ") !== state.words.join(" "));
      if (note.textContent !== said) note.textContent = said;
      about.hidden = Boolean(said);
      behind.replaceChildren(...marked(parts, state.text));
      behind.scrollLeft = input.scrollLeft;
      morph(next, offered.map((word, i) => // one stop of the Tab key; the arrows go on
        html("button", { type: "button", tabindex: i ? -1 : 0, "data-word": word }, word)));
    },
  };
}
