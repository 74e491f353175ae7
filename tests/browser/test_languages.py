"""A translated page and the English one lead to each other; quiz, figure and theme are French."""

from tools.contents import listed

HERE, THERE = "book/what_attention_is", "fr/what_attention_is"


def test_a_reader_goes_to_the_french_page_and_back(visit, site):
    page = visit(f"{site}{HERE}.html").page
    page.get_by_role("link", name="Français").click()
    page.wait_for_url(f"{site}{THERE}.html")
    assert page.locator("html").get_attribute("lang") == "fr"
    page.get_by_role("link", name="English").click()
    page.wait_for_url(f"{site}{HERE}.html")


def test_a_page_without_a_translation_has_no_switch(visit, site):
    other = next(name for name in listed() if name.startswith("book/") and name != HERE)
    assert visit(f"{site}{other}.html").page.locator("a.attn-language").count() == 0


def test_quiz_figure_and_theme_speak_french(visit, site):
    page = visit(f"{site}{THERE}.html").page
    form = page.locator("form.attn-question").first
    right = form.get_attribute("data-right")
    form.locator(f"input[value={right}]").check()
    form.get_by_role("button", name="Vérifier").click()
    assert form.locator(".attn-verdict").inner_text().startswith("Exact.")
    figure = page.locator("attn-softmax")
    figure.scroll_into_view_if_needed()
    figure.get_by_role("button", name="Réinitialiser").wait_for()
    assert page.locator("figcaption").first.inner_text().startswith("Fig. 1.1")
    assert page.get_by_label("Thème").count() == 1
