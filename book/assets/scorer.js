// What the search lists first. Sphinx calls `score` for each result:
// [page, title, anchor, description, score, file].
var Scorer = {
  /** What search.js looks for, where a word was misspelled. */
  asked: null,

  /** What makes a question of words, and names nothing. */
  asking: new Set(
    `a an and are between by can did difference do does for from have how i in is it mean
      means need of on or the their there to use used versus vs was we what when which why
      with you`.split(/\s+/),
  ),

  /** Words in small letters, without the s of a plural and without what only asks. */
  words(text) {
    const every = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const telling = every.filter((word) => !Scorer.asking.has(word));
    return (telling.length ? telling : every).map((word) => word.replace(/s$/, ""));
  },

  /** How well a phrase fits what was asked: 1 for the same words, less for more or fewer. */
  fits(asked, phrase) {
    const own = Scorer.words(phrase);
    const [few, many] = asked.length < own.length ? [asked, own] : [own, asked];
    return few.length && few.every((word) => many.includes(word)) ? few.length / many.length : 0;
  },

  // Pages by the phrases of book/search_terms.yml and their titles, then terms of the glossary, then
  // sections, and the library's names after them.
  score: ([page, title, anchor, description, score]) => {
    const asked = Scorer.words(Scorer.asked ?? new URLSearchParams(location.search).get("q") ?? "");
    // A term comes twice, once as an entry of the index, under the name of its page.
    if (anchor.startsWith("#term-")) return description ? score + 60 * Scorer.fits(asked, title) : score - 1000;
    const phrases = anchor ? [] : [title, ...(globalThis.attnPhrases?.[page] ?? [])];
    const best = Math.max(0, ...phrases.map((phrase) => Scorer.fits(asked, phrase)));
    // Where no phrase fits whole: how many of the words asked stand in any of them.
    const known = new Set(phrases.flatMap(Scorer.words));
    const some = asked.filter((word) => known.has(word)).length / asked.length;
    return score + Math.max(100 * best, 60 * some) - (page.startsWith("book/") ? 0 : 5) - (page.startsWith("book/api") ? 20 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
