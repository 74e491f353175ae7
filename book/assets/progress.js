// Which chapters were read and which quizzes done: in the sidebar, and on the landing page beside its
// route.
"use strict";
{
  // A chapter is a page that ends in a quiz; progress.py lists them.
  const listed = document.querySelector('meta[name="attn-chapters"]')?.content ?? "";
  const names = new Set(listed.split(" "));
  const { page, record, put, onChange, _ } = window.attn;

  // The sidebar links the page it stands on to "#".
  const pageOf = (link) => {
    const href = link.getAttribute("href");
    return href === "#" ? page : href.split("#")[0].split("/").pop().replace(/\.html$/, "");
  };
  const chapters = [...document.querySelectorAll("nav.bd-docs-nav a, .attn-route a")]
    .map((link) => ({ link, name: pageOf(link) }))
    .filter(({ name }) => names.has(name));

  const overview = document.getElementById("attn-progress");
  const forget = overview?.querySelector("button");
  let before = null; // what was forgotten, until the page is left
  const quizzes = Number(overview?.dataset.quizzes);

  function mark(link, kind, sign, words, on) {
    let shown = link.querySelector(`.attn-mark-${kind}`);
    if (!on) return shown?.remove();
    if (shown) return;
    shown = document.createElement("span");
    shown.className = `attn-mark attn-mark-${kind}`;
    shown.innerHTML = `<span aria-hidden="true">${sign}</span><span class="visually-hidden">, ${words}</span>`;
    link.append(shown);
  }

  const isDone = (quiz) => quiz?.right?.length > 0 && quiz.right.length >= quiz.of;

  function show() {
    const read = record("read");
    const quiz = record("quiz");
    for (const { link, name } of chapters) {
      mark(link, "read", "✓", _("read"), read[name]);
      mark(link, "quiz", "★", _("quiz done"), isDone(quiz[name]));
    }
    const box = document.getElementById("attn-read");
    if (box) box.checked = Boolean(read[page]);
    if (!overview) return;
    const shown = [...new Set(chapters.map(({ name }) => name))];
    const done = shown.filter((name) => isDone(quiz[name]));
    overview.querySelector(".attn-progress-words").textContent =
      _("You have read {n} of {all} chapters and done {done} of {quizzes} quizzes.", {
        n: shown.filter((name) => read[name]).length,
        all: shown.length,
        done: done.length,
        quizzes,
      });
    // Who has nothing to forget is not asked to.
    forget.hidden = !before && Object.keys({ ...read, ...quiz }).length === 0;
  }

  // A chapter ends with a box to tick.
  const article = document.querySelector("article.bd-article");
  if (article && names.has(page)) {
    const label = document.createElement("label");
    label.className = "attn-read";
    label.innerHTML = '<input type="checkbox" id="attn-read"> ';
    label.append(_("I have read this chapter"));
    article.append(label);
    label.firstChild.addEventListener("change", (event) => {
      const read = record("read");
      if (event.target.checked) read[page] = true;
      else delete read[page];
      put("read", read);
    });
  }

  // Forgetting can be taken back until the page is left.
  if (forget) {
    overview.hidden = false;
    forget.addEventListener("click", () => {
      const back = before;
      before = back ? null : { read: record("read"), quiz: record("quiz") };
      forget.textContent = before ? _("Bring it back") : _("Forget my progress");
      put("read", back?.read ?? {});
      put("quiz", back?.quiz ?? {});
    });
  }

  show();
  onChange(show);
}
