// How a sentence that somebody typed is read: as which words, and what is said of the others.

const IS = /^(he|she|it|that|this|there|here|what|where|who|how|when|why|everyone)'s$/u;
const IN_FULL = { "can't": "can not", cannot: "can not", "won't": "will not", "let's": "let us" };
const ENDINGS = [[/n't$/u, " not"], [/'m$/u, " am"], [/'re$/u, " are"], [/'ve$/u, " have"],
  [/'ll$/u, " will"], [/'d$/u, " would"], [IS, "$1 is"], [/'s$/u, " 's"]]; // prettier-ignore
// A word with its apostrophes, a run of emoji, or a sign of its own.
const PARTS = /([\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*['’]?)|((?:\p{Extended_Pictographic}[\u{FE0F}\u{200D}\u{1F3FB}-\u{1F3FF}]*)+)|\S/gu;

/** One typed word as those that are read: "didn't" as "did not", "l'homme" as "l'" and "homme". */
function inFull(typed) {
  const word = typed.toLowerCase().replaceAll("’", "'");
  if (word in IN_FULL) return IN_FULL[word].split(" ");
  const ending = ENDINGS.find(([pattern]) => pattern.test(word));
  return ending ? word.replace(...ending).trim().split(" ") : word.match(/[^']+'?/gu);
}

/** What was typed, part by part: [{ words, typed, from }]; a sign that is not read has no words. */
function partsOf(text) {
  return [...text.matchAll(PARTS)].map(({ 0: typed, 1: word, 2: emoji, index }) => ({
    words: word ? inFull(word) : emoji ? [emoji] : [], typed, from: index,
  })); // prettier-ignore
}

/** The signs that are not read, each once; a full stop at the end is where reading ends. */
function signsOf(parts) {
  const signs = parts.filter(({ words }) => !words.length).map(({ typed }) => typed);
  if (parts.at(-1)?.typed === ".") signs.pop();
  return [...new Set(signs)].join(" ");
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
  const short = word.slice(0, 20).toLowerCase();
  return known
    .map((other) => [distance(short, other), other])
    .filter(([far, other]) => far <= Math.max(1, Math.floor(other.length / 2)))
    .sort((a, b) => a[0] - b[0])
    .slice(0, count)
    .map(([, other]) => other);
}

/**
 * How a sentence is read: `reading(text)` returns { words, parts, wrong, stop, offered, said }. `stop`
 * says why it cannot be translated ("" where it can), `offered` are words to choose from: those that may
 * come next, or in the place of `wrong`, a part that is not known. With `copies` a word that is not known stops nothing, and stays as typed.
 */
function sentenceReader({ known, follow = {}, most, beginning, copies, offered: count = 8 }) {
  const has = new Set(known);
  return (text) => {
    const parts = partsOf(text);
    for (const part of parts) part.unknown = part.words.some((word) => !has.has(word));
    const all = parts.flatMap(({ words, typed, unknown }) =>
      copies && unknown && words.length === 1 ? [typed] : words);
    const words = all.slice(0, most);
    const open = parts.length && !/\s$/u.test(text) && parts.at(-1).words.length && all.length <= most;
    const wrong = parts.find(({ unknown }) => unknown);
    const last = parts.at(-1);
    const begun = last?.typed.toLowerCase();
    const begins = open && last.unknown && (copies || last === wrong)
      ? known.filter((word) => word.startsWith(begun)) : [];
    const result = { words, parts, wrong, stop: "", offered: [], said: "" };
    if (begins.length) return { ...result, wrong: last, stop: "open", offered: begins.slice(0, count) };
    if (wrong) {
      const word = wrong.typed.slice(0, 24);
      const offered = nearest(wrong.typed, known);
      const said = copies
        ? _("It has never read “{word}” and copies it.", { word })
        : _("It has never read “{word}”: it learned {n} words.", { word, n: known.length });
      const near = offered.length ? " " + _("Near it:") : "";
      return { ...result, stop: copies ? "" : "unknown", offered, said: said + near };
    }
    const next = follow[words.at(-1) ?? ""] ?? [];
    const offered = words.length < most ? next.filter((word) => word !== ".").slice(0, count) : [];
    if (!words.length) {
      const said = text.trim() ? _("It reads words in the letters a to z.") : _("Type a sentence, or choose a word:");
      return { ...result, stop: "empty", offered, said };
    }
    const whole = beginning || copies || next.includes(".");
    const over = all.length > words.length;
    const signs = signsOf(parts);
    const said = over
      ? _("It stops reading after {n} words.", { n: most })
      : !whole ? _("Go on, or press Enter.") : signs && _("It does not read {signs}", { signs });
    return { ...result, stop: whole || over ? "" : "unfinished", offered, said };
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
    return { words: all.slice(0, most), parts: [], stop, offered: [], said };
  };
}

const TWICE = ["nous", "vous"]; // "nous nous levons"

/** What can be seen of a translation without knowing the right one: that it repeats, or stops early. */
function flawOf(said, read, limit) {
  if (said.length >= limit) return _("It does not come to an end.");
  for (let size = 1; size <= said.length / 2; size += 1) {
    for (let i = 0; i + 2 * size <= said.length; i += 1) {
      const once = said.slice(i, i + size).join(" ");
      const again = said.slice(i + size, i + 2 * size).join(" ");
      if (once === again && !TWICE.includes(once)) return _("It repeats “{words}”.", { words: once });
    }
  }
  return read.length >= 6 && said.length < 0.6 * read.length
    ? _("It stopped writing after {n} words for {m}.", { n: said.length, m: read.length })
    : "";
}
