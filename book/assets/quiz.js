// The quiz at the end of a chapter: Check says whether, and why.
"use strict";
{
  const { _ } = window.attn;
  const quiz = document.querySelector(".attn-quiz");
  const forms = quiz ? [...quiz.querySelectorAll("form.attn-question")] : [];
  const answered = () => {
    const right = window.attn.record("quiz")[window.attn.page]?.right;
    return new Set(Array.isArray(right) ? right : []);
  };

  function count() {
    const right = forms.filter((_, i) => answered().has(i + 1)).length;
    const done = right === forms.length ? " " + _("The quiz is done.") : "";
    quiz.querySelector(".attn-quiz-state").textContent =
      _("{n} of {all} answered right.", { n: right, all: forms.length }) + done;
  }

  function check(form, number) {
    const verdict = form.querySelector(".attn-verdict");
    const chosen = form.querySelector("input:checked")?.value;
    verdict.dataset.right = chosen === form.dataset.right;
    if (!chosen) {
      verdict.textContent = _("Choose an answer first.");
      return;
    }
    const why = form.querySelector(`[data-choice="${chosen}"] > span:last-child`);
    verdict.replaceChildren(...[...why.childNodes].map((node) => node.cloneNode(true)));
    if (chosen !== form.dataset.right) return;
    const all = window.attn.record("quiz");
    all[window.attn.page] = { right: [...answered().add(number)].sort(), of: forms.length };
    window.attn.put("quiz", all);
  }

  forms.forEach((form, i) => {
    const button = form.querySelector("button");
    button.hidden = button.disabled = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      check(form, i + 1);
    });
    // A verdict speaks of the choice it was given for.
    form.addEventListener("change", () => form.querySelector(".attn-verdict").replaceChildren());
  });
  if (quiz) {
    count();
    window.attn.onChange(count);
  }
}
