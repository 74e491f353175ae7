"""Reading levels, quizzes and progress: by keyboard, without storage, without JavaScript."""

import json

import pytest
from axe import axe_finds

CHAPTER = "book/softmax.html"
ASIDE = "book/what_the_division_repairs.html"  # has one for experts
LEVELS = ("beginner", "practitioner", "expert")
# What a browser does that lets pages keep nothing.
BLOCKED = """Object.defineProperty(window, "localStorage", {
    configurable: true,
    get() { throw new DOMException("The operation is insecure.", "SecurityError"); }
});"""
FULL = """Storage.prototype.setItem = () => {
    throw new DOMException("It is full.", "QuotaExceededError");
};"""
MARKED = "nodes => nodes.filter(n => n.hasAttribute('href')).map(n => n.dataset.term)"


def levels_of(page) -> dict[str, str]:
    """Up to which level each term of the page is marked."""
    data = json.loads(page.locator("#attn-terms").text_content())
    return {term: entry["marked"] for term, entry in data.items()}


def marked(page) -> set[str]:
    return set(page.locator("a.attn-term").evaluate_all(MARKED))


def open_asides(page) -> dict[str, bool]:
    asides = page.locator("details.attn-aside")
    return dict(asides.evaluate_all("nodes => nodes.map(n => [n.dataset.levels, n.open])"))


def test_the_level_decides_which_terms_are_marked_and_what_they_say(visit, site):
    page = visit(site + CHAPTER).page
    terms, texts = levels_of(page), []
    known_to_all = page.locator("section:not(#key-terms) > p a.attn-term[data-term=term-softmax]")
    assert set(terms.values()) == set(LEVELS), "the page must have a term of each level"
    for level in LEVELS:
        page.get_by_label("Reading level").select_option(level)
        expected = {t for t, up_to in terms.items() if LEVELS.index(up_to) >= LEVELS.index(level)}
        # The list of key terms stays a list of links for everybody.
        listed = page.locator("#key-terms a.attn-term").evaluate_all(MARKED)
        assert marked(page) == expected | set(listed)
        assert (known_to_all.first.get_attribute("href") is None) == (level != "beginner")
        page.locator("#key-terms a.attn-term[data-term=term-softmax]").focus()
        texts.append(page.locator("#attn-tip").inner_text())
        page.keyboard.press("Tab")
    assert len(set(texts)) == 3


def test_the_level_decides_which_asides_are_open_and_survives(visit, site):
    page = visit(site + ASIDE).page
    assert open_asides(page) == {level: level == "beginner" for level in open_asides(page)}
    page.get_by_label("Reading level").select_option("expert")
    assert open_asides(page).get("expert") is True
    page.reload(wait_until="load")
    assert page.get_by_label("Reading level").input_value() == "expert"
    assert open_asides(page).get("expert") is True
    page.goto(site + "book/glossary.html", wait_until="load")
    assert page.get_by_label("Reading level").input_value() == "expert"


def test_what_follows_a_root_stands_where_its_line_ends(visit, site):
    page = visit(site + ASIDE).page
    page.wait_for_function("document.querySelector('msqrt').style.marginInlineEnd")
    room = page.locator("msqrt").evaluate_all("""roots => roots.map(r => {
        const margin = parseFloat(getComputedStyle(r).marginInlineEnd);
        const right = e => e.getBoundingClientRect().right;
        return right(r) - right(r.lastElementChild) + margin;
    })""")
    assert room
    assert max(map(abs, room)) < 0.5  # pixels


def test_without_javascript_everything_is_there(visit, site):
    page = visit(site + CHAPTER, java_script_enabled=False).page
    assert page.locator("details.attn-aside").count() > 0
    for aside in page.locator("details.attn-aside").all():
        assert aside.get_attribute("open") is not None
    for term in page.locator("a.attn-term").all():
        assert "glossary.html#term-" in term.get_attribute("href")
    form = page.locator("form.attn-question").first
    assert form.locator("legend").is_visible() and form.locator("label").count() >= 2
    assert not form.locator("button").is_visible(), "a button that does nothing"
    assert form.locator("details p").count() == form.locator("label").count()
    form.locator("summary").click()
    assert "Right." in form.locator("details").inner_text()
    assert not page.get_by_label("Reading level").is_visible()
    form.locator("summary").click()
    nothing_is_folded_on_paper(page)


def test_the_sidebar_opens_the_page_s_part_and_keeps_its_line_in_sight(visit, site):
    page = visit(site).page
    page.set_viewport_size({"width": 1280, "height": 800})
    in_sight = """() => {
        const line = document.querySelector('.bd-docs-nav li.current > a').getBoundingClientRect();
        return line.height > 0 && line.top >= 0 && line.bottom <= innerHeight;
    }"""
    for _ in range(40):  # as a reader goes, since the theme restores where the sidebar was
        page.goto(page.locator("a.right-next").evaluate("a => a.href"), wait_until="load")
        assert page.evaluate(in_sight), page.url
        assert page.locator(".bd-docs-nav details[open]").count() == 1


def test_a_predicted_result_waits_for_a_click_and_for_nobody_else(visit, site):
    page = visit(site + CHAPTER).page
    result = page.locator("details.below-input").first
    printed = result.locator(".cell_output")
    assert not printed.is_visible()
    page.get_by_text("Show the result").first.click()
    assert printed.is_visible()
    page = visit(site + CHAPTER, java_script_enabled=False).page
    assert page.locator("details.below-input .cell_output").first.is_visible()


def test_on_paper_nothing_is_folded(visit, site):
    nothing_is_folded_on_paper(visit(site + CHAPTER).page)


def nothing_is_folded_on_paper(page) -> None:
    page.emulate_media(media="print")
    answer = page.locator("details.attn-answers p").first
    height = answer.bounding_box()["height"] if answer.bounding_box() else 0
    assert height > 10, "the explanations are missing on paper"


def answer_by_keyboard(page, number: int, letter: str) -> str:
    """Tab to the question, choose with the arrows, press Enter; what the page says then."""
    form = page.locator("form.attn-question").nth(number - 1)
    form.locator("input").first.focus()
    page.keyboard.press("Space")
    for _ in range("abcdef".index(letter)):
        page.keyboard.press("ArrowDown")
    assert form.locator("input:checked").get_attribute("value") == letter
    page.keyboard.press("Enter")
    return form.locator(".attn-verdict").inner_text()


def right_letters(page) -> list[str]:
    return page.locator("form.attn-question").evaluate_all("f => f.map(n => n.dataset.right)")


def test_a_quiz_by_keyboard_alone(visit, site):
    page = visit(site + CHAPTER).page
    page.get_by_role("button", name="Check").first.click()
    assert page.locator(".attn-verdict").first.inner_text() == "Choose an answer first."
    right = right_letters(page)
    wrong = next(letter for letter in "ab" if letter != right[0])
    assert answer_by_keyboard(page, 1, wrong).startswith("No.")
    state = page.locator(".attn-quiz-state")
    assert state.inner_text() == f"0 of {len(right)} answered right."
    for number, letter in enumerate(right, 1):
        assert answer_by_keyboard(page, number, letter).startswith("Right.")
    assert state.inner_text() == f"{len(right)} of {len(right)} answered right. The quiz is done."
    assert page.locator(".attn-verdict").first.get_attribute("role") == "status"


def test_axe_finds_nothing_after_answering(visit, site):
    page = visit(site + CHAPTER).page
    for number, letter in enumerate(["a", *right_letters(page)[1:]], 1):
        answer_by_keyboard(page, number, letter)
    page.evaluate("() => document.querySelectorAll('article details').forEach(d => d.open = true)")
    page.locator("#attn-read").check()
    assert axe_finds(page) == []


def test_progress_is_shown_kept_and_forgotten(visit, site):
    page = visit(site + "index.html").page
    assert not page.get_by_role("button", name="Forget").is_visible(), "nothing to forget yet"
    page.goto(site + CHAPTER, wait_until="load")
    for number, letter in enumerate(right_letters(page), 1):
        answer_by_keyboard(page, number, letter)
    page.get_by_label("I have read this chapter").check()
    link = page.locator("nav.bd-docs-nav a.current").last
    assert "✓, read" in link.text_content() and "★, quiz done" in link.text_content()
    page.goto(site + "index.html", wait_until="load")
    words = page.locator(".attn-progress-words")
    total = page.locator("#attn-progress").get_attribute("data-quizzes")
    assert "You have read 1 of" in words.inner_text()
    assert f"done 1 of {total} quizzes" in words.inner_text()
    assert page.locator("nav.bd-docs-nav .attn-mark").count() == 2
    page.get_by_role("button", name="Forget my progress").click()
    assert "You have read 0 of" in words.inner_text()
    page.get_by_role("button", name="Bring it back").click()
    assert "You have read 1 of" in words.inner_text()
    page.get_by_role("button", name="Forget my progress").click()
    page.reload(wait_until="load")
    assert "You have read 0 of" in words.inner_text()
    assert not page.get_by_role("button", name="Forget").is_visible()
    assert page.locator("nav.bd-docs-nav .attn-mark").count() == 0


@pytest.mark.parametrize("storage", [BLOCKED, FULL], ids=["blocked", "full"])
def test_a_storage_that_keeps_nothing_is_said_once_and_nothing_breaks(storage, browser, site):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(storage)
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(site + ASIDE, wait_until="load")
    note = page.locator(".attn-note")
    assert note.count() == 0, "nothing was to be kept yet"
    page.get_by_label("Reading level").select_option("expert")
    assert open_asides(page).get("expert") is True
    assert "does not let this book keep anything" in note.inner_text()
    note.get_by_role("button", name="Close").click()
    page.get_by_label("I have read this chapter").check()
    assert page.locator("nav.bd-docs-nav a.current .attn-mark").count() == 1
    assert note.count() == 0, "once is enough"
    page.locator("button.theme-switch-button").first.click()
    assert page.evaluate("document.documentElement.dataset.mode") == "dark"
    page.keyboard.press("Control+k")
    page.locator("dialog[open]").wait_for()
    assert errors == []
    context.close()


def test_what_something_else_wrote_does_no_harm(visit, site):
    seen = visit(site + "index.html")
    for bad in ["{", "[]", "7", "null", '"x"', '{"softmax": 3}']:
        seen.page.evaluate(
            "bad => ['level', 'read', 'quiz'].forEach(k => localStorage.setItem('attn.' + k, bad))",
            bad,
        )
        for address in ("index.html", CHAPTER):
            seen.page.goto(site + address, wait_until="load")
            assert seen.page.get_by_label("Reading level").input_value() == "beginner"
    assert seen.console == []
