// The field of a reader's own sentence: what was typed as words, the words that may come next, and
// what is said of a word that the model never read.

/** What was typed as words: in small letters, without punctuation, "didn't" as "did not". */
function wordsOf(text) {
  const plain = text.toLowerCase().replace(/n['’]t(?![\p{L}])/gu, " not");
  return plain.replaceAll("’", "'").match(/[\p{L}\p{M}\p{N}]+'?/gu) ?? []; // l'homme is two
}

/** How many letters must be changed, added or left out to make `b` of `a`. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_unused, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row.at(-1);
}

/** The known words nearest to one that is not known, at most `count`, none that shares little. */
function nearest(word, known, count = 4) {
  const short = word.slice(0, 20);
  return known
    .map((other) => [distance(short, other), other])
    .filter(([far, other]) => far <= Math.max(1, Math.floor(other.length / 2)))
    .sort((a, b) => a[0] - b[0])
    .slice(0, count)
    .map(([, other]) => other);
}

/**
 * How a sentence is read: `reading(text)` returns { words, stop, offered, said, at }. `stop` says
 * why it cannot be translated ("" where it can), `at` is the place of the word that is not known,
 * `offered` are words to choose from: those that may come next, or in the place of that word.
 */
function sentenceReader({ known, follow = {}, most, beginning, offered: count = 8 }) {
  const has = new Set(known);
  return (text) => {
    const all = wordsOf(text);
    const words = all.slice(0, most);
    const open = /[\p{L}\p{M}\p{N}'’]$/u.test(text) && words.length === all.length;
    const at = words.findIndex((word) => !has.has(word));
    const last = words.length - 1;
    const begins = open && at === last ? known.filter((word) => word.startsWith(words[last])) : [];
    if (begins.length) return { words, at, stop: "open", offered: begins.slice(0, count), said: "" };
    if (at >= 0) {
      const said = _("It has never read “{word}”: it learned {n} words.", {
        word: words[at].slice(0, 24),
        n: known.length,
      });
      const near = nearest(words[at], known);
      return { words, at, stop: "unknown", offered: near, said: near.length ? `${said} ${_("Near it:")}` : said };
    }
    const next = follow[words.at(-1) ?? ""] ?? [];
    const offered = words.length < most ? next.filter((word) => word !== ".").slice(0, count) : [];
    if (!words.length) {
      const said = text.trim() ? _("It reads words in the letters a to z.") : _("Type a sentence, or choose a word:");
      return { words, at, stop: "empty", offered, said };
    }
    const whole = beginning || next.includes(".");
    const over = all.length > words.length;
    const said = over
      ? _("It stops reading after {n} words.", { n: most })
      : whole ? "" : _("Go on, or press Enter.");
    return { words, at, stop: whole || over ? "" : "unfinished", offered, said };
  };
}

/** How a word is read letter by letter. */
function letterReader({ known, most }) {
  const has = new Set(known);
  return (text) => {
    const [word = "", ...more] = text.trim().toLowerCase().replaceAll("’", "'").split(/\s+/u);
    const all = [...word];
    const at = all.findIndex((letter) => !has.has(letter));
    const said = !word
      ? _("The field is empty: type a word.")
      : more.length
        ? _("That is more than one word: type one.")
        : at >= 0
          ? _("It knows the letters a to z, not {letter}.", { letter: all[at] })
          : all.length > most ? _("It stops reading after {n} letters.", { n: most }) : "";
    const stop = !word || more.length || at >= 0 ? "unknown" : "";
    return { words: all.slice(0, most), at: -1, stop, offered: [], said };
  };
}

/**
 * The field itself. `read` is one of the two above; `tell(words)` returns the state in which they
 * are shown.
 */
function sentenceField(data, read, tell) {
  const input = html("input", {
    type: "text", maxlength: 240, autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    enterkeyhint: "done", "aria-label": data.asked,
  });
  const next = html("span", { role: "group", "aria-label": _("Words to choose") });
  const note = html("span", { class: "attn-own-note", role: "status" });
  const row = html("div", { class: "attn-own-next" }, note, next);
  let change = () => {};
  const put = (text) => {
    input.focus({ preventScroll: true });
    change(text);
  };
  /** The text with the chosen word: behind what is there, or in the place of the one that is wrong. */
  const withWord = (word) => {
    const { words, at } = read(input.value);
    const kept = at < 0 ? [...words, word] : words.map((old, i) => (i === at ? word : old));
    return `${kept.join(" ")} `;
  };
  return {
    node: html("div", { class: "attn-own-field" }, html("label", {}, html("span", {}, data.asked), input), row),
    listen(set) {
      change = (text, anyway = false) => {
        const { words, stop } = read(text);
        const shown = !stop || (anyway && stop === "unfinished");
        set(shown ? { text, ...tell(words) } : { text });
      };
      input.addEventListener("input", () => change(input.value));
      input.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown") next.firstChild?.focus();
        if (event.key !== "Enter") return;
        change(input.value, true);
        const { words, at } = read(input.value);
        const from = at < 0 ? -1 : input.value.toLowerCase().indexOf(words[at]);
        if (from >= 0) input.setSelectionRange(from, from + words[at].length);
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
      const { words, offered, said } = read(state.text);
      input.closest(".attn-figure")?.classList.toggle("attn-own-stale", words.join(" ") !== state.words.join(" "));
      if (note.textContent !== said) note.textContent = said;
      morph(next, offered.map((word, i) => // one stop of the Tab key; the arrows go on
        html("button", { type: "button", tabindex: i ? -1 : 0, "data-word": word }, word)));
    },
  };
}
