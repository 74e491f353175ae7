"""The book's own Sphinx extensions: the addresses, the icons, the formulas."""

import gc
import importlib.util
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes

from tools.address import Address

ROOT = Path(__file__).parents[2]
EXTENSIONS = ROOT / "book" / "_ext"
FORK = Address("https://github.com/uni-x/attention-2027", "https://uni-x.github.io/attention-2027/")


def extension(name: str):
    (path,) = EXTENSIONS.glob(f"*/{name}.py")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_icons_are_found_in_pages_scripts_and_styles(tmp_path):
    (tmp_path / "_static" / "styles").mkdir(parents=True)
    (tmp_path / "_static" / "scripts").mkdir()
    (tmp_path / "_static" / "styles" / "theme.css").write_text(
        '.fa-sun:before,.fa-star:before{content:"\\f185"}.fa-x:before{content:"\\f00d"}'
        '.fa-no:before{content:"\\f05e"}:root{--pst-icon-bell:"\\f0f3"}',
        encoding="utf-8",
    )
    (tmp_path / "_static" / "scripts" / "theme.js").write_text('add("fa-x")', encoding="utf-8")
    (tmp_path / "index.html").write_text('<i class="fa-solid fa-star"></i>', encoding="utf-8")
    assert extension("icons").used_codes(tmp_path) == {0xF185, 0xF00D, 0xF0F3}


def test_a_formula_becomes_mathml():
    mathml = extension("mathml").mathml
    written = mathml(r"J \sim \arg\max_j \log p(x; y)")
    assert 'alttext="J \\sim \\arg\\max_j \\log p(x; y)"' in written
    assert "<mi>argmax</mi>" in written and "<mo>∼</mo>" in written
    assert '<mo separator="true">;</mo>' in written
    assert '<mi>log</mi><mspace width="0.1667em" /><mi>p</mi>' in written
    aligned = mathml(r"\begin{aligned} a &= b \\ &= c \end{aligned}", display=True)
    assert aligned.count("<mtr>") == 2 and "text-align: right" in aligned


def test_a_mark_after_a_formula_stays_on_its_line():
    from docutils import nodes

    mathml = extension("mathml")
    formula = nodes.math("", "x")
    line = nodes.paragraph("", "", nodes.Text("See "), formula, nodes.Text(", and so on."))
    builder = type("Builder", (), {"format": "html"})
    mathml.keep_punctuation(type("App", (), {"builder": builder}), line, "page")
    assert formula["mark"] == "," and line.astext() == "See x and so on."


@pytest.mark.parametrize("tex", [r"\nosuchthing x", "a & b"])
def test_tex_that_has_no_mathml_is_refused(tex):
    with pytest.raises(ValueError, match=r"no MathML|does not know"):
        extension("mathml").mathml(tex)


CSS = """/*! A licence. */ /* a remark */
.used, .lost > p, a:not(.lost) { color: red }
#lost .used { color: blue }
@media print { .lost { margin: 0 } #top { margin: 0 } }
@media screen { .lost { margin: 0 } }
.bs-tooltip-auto, .moved:hover { margin: 0 }
@font-face { font-family: F }
"""


def test_a_style_sheet_loses_the_rules_that_no_page_can_match():
    unused = extension("unused")
    words = unused.vocabulary(['<p class="used other" id="top">lost</p>'], ['add("moved")'])
    lines = unused.trimmed(CSS, words).replace(" ", "").splitlines()
    assert lines == [
        "/*!Alicence.*/.used,a:not(.lost){color:red}",
        "@mediaprint{#top{margin:0}",
        "}",
        ".bs-tooltip-auto,.moved:hover{margin:0}",
        "@font-face{font-family:F}",
    ]


def test_every_extension_says_why_no_library_does_it():
    text = (EXTENSIONS / "README.md").read_text(encoding="utf-8")
    cells = [row.split("|") for row in text.splitlines() if row.startswith("| `")]
    assert all(len(reason.split()) >= 4 for _, _, _, reason, _ in cells)
    named = [name for cell in cells for name in re.findall(r"`(\w+/\w+\.py)`", cell[1])]
    files = [path.relative_to(EXTENSIONS).as_posix() for path in EXTENSIONS.glob("*/*.py")]
    assert sorted(named) == sorted(files)


def test_the_exercise_of_a_page_is_the_first_that_it_links():
    seen = {
        "body": '<a href="../exercises/01_softmax.html">x</a> <a href="../exercises/02_b.html">'
    }
    title = SimpleNamespace(astext=lambda: "Exercise 01: Softmax")
    env = SimpleNamespace(titles={"exercises/01_softmax": title})
    app = SimpleNamespace(env=env, config=SimpleNamespace(root_doc="index"))
    extension("next_up").find(app, "book/softmax", "page.html", seen, None)
    assert seen["attn_exercise"] == ("../exercises/01_softmax.html", "Exercise 01: Softmax")
    own = {"body": seen["body"]}
    extension("next_up").find(app, "exercises/01_softmax", "page.html", own, None)
    assert "attn_exercise" not in own


def test_a_sentence_in_a_table_is_named_and_a_label_is_not():
    long, short = (nodes.entry("", nodes.paragraph(text=text)) for text in ("word " * 6, "0.93"))
    extension("tables").name_sentences(None, nodes.row("", long, short), "page")
    assert (long["classes"], short["classes"]) == (["attn-sentence"], [])


@pytest.mark.parametrize(
    ("source", "figure", "prints", "title"),
    [
        ("def area(r):\n    return r\n\n\nplt.show()", True, True, "Code of this figure"),
        ("import numpy as np\n", False, False, "Code: imports"),
        (
            "import math\n\n\ndef one():\n    pass\n\n\nclass Two:\n    pass",
            False,
            True,
            "Code: one, Two",
        ),
        (
            "def a(): 1\ndef b(): 1\ndef c(): 1\ndef d(): 1\ndef e(): 1",
            False,
            True,
            "Code: a, b, c, d …",
        ),
        ("# the cars\nspeed = [4, 7]\n", False, False, "Code: speed"),
        ("for i in range(3):\n    print(i)", False, True, "Code of this output"),
    ],
)
def test_a_fold_says_what_is_in_it(source, figure, prints, title):
    assert extension("folds").title(source, figure, prints) == title


def settings_of(repository: str, site: str = ""):
    """The settings of a build after the extension has seen them."""
    options = {
        "repository_url": repository,
        "repository_branch": "main",
        "launch_buttons": {"x": 1},
    }
    options |= {"use_repository_button": True, "use_issues_button": True}
    config = SimpleNamespace(html_theme_options=options, html_baseurl=site)
    config.html_title, config.project = "A book", "a book"
    extension("address").derive(None, config)
    return config


def test_without_an_address_pages_offer_no_buttons_and_no_preview():
    config = settings_of(Address().repository)
    assert not config.html_theme_options.keys() & {"launch_buttons", "use_repository_button"}
    assert config.html_theme_options["repository_url"] == ""
    assert config.ogp_site_url == config.ogp_image == ""


def test_with_an_address_everything_follows(monkeypatch):
    config = settings_of(FORK.repository, FORK.site)
    assert config.html_theme_options["launch_buttons"]
    assert config.ogp_image == "https://uni-x.github.io/attention-2027/_static/preview.png"
    assert (ROOT / "book" / "assets" / "preview.png").exists()
    notebook = "exercises/01_softmax.ipynb"
    there = "https://colab.research.google.com/github/uni-x/attention-2027/blob"
    assert config.attn_address.colab(notebook) == f"{there}/main/{notebook}"
    monkeypatch.setenv("COURSE_LAUNCH", "launch")
    published = settings_of(FORK.repository, FORK.site)
    assert published.attn_address.colab(notebook) == f"{there}/launch/{notebook}"
    assert published.html_theme_options["repository_branch"] == "launch"


def site_of(place: Path, **settings):
    """What an extension asks of a build that has finished."""
    config = SimpleNamespace(html_title="A <book>", language="en", **settings)
    return SimpleNamespace(
        builder=SimpleNamespace(name="html", format="html"), outdir=place, config=config
    )


def test_a_report_names_the_page_and_its_version(monkeypatch):
    monkeypatch.syspath_prepend(EXTENSIONS)
    links = extension("links")
    url = links.report(FORK, "book/softmax.html", "v2027.1-3-gabc")
    assert url.startswith(f"{FORK.repository}/issues/new?template=page.yml&")
    assert "page=book%2Fsoftmax.html&version=v2027.1-3-gabc" in url
    form = (ROOT / ".github" / "ISSUE_TEMPLATE" / "page.yml").read_text(encoding="utf-8")
    assert {"id: page", "id: version"} <= {line.strip() for line in form.splitlines()}
    lab = Address("https://gitlab.com/uni/x", "")
    assert "/-/issues/new?issue%5Btitle%5D=a.html&" in links.report(lab, "a.html", "v1")


@pytest.mark.parametrize(("site", "root"), [(FORK.site, "/attention-2027/"), ("", "/")])
def test_the_page_of_no_page_leads_home_from_any_depth_and_asks_for_nothing(tmp_path, site, root):
    extension("not_found").write(site_of(tmp_path, html_baseurl=site), None)
    text = (tmp_path / "404.html").read_text(encoding="utf-8")
    assert re.findall(r'(?:href|src)="([^"]*)"', text) == [
        root + "index.html",
        root + "search.html",
    ]
    assert "A &lt;book&gt;" in text


# Of ziamath, which leaves a file open while it is imported.
@pytest.mark.filterwarnings("ignore:path is deprecated", "ignore::ResourceWarning")
def test_a_font_that_is_cut_keeps_its_licence(tmp_path):
    from fontTools.ttLib import TTFont

    (tmp_path / "page.html").write_text("<math><mi>α</mi></math>", encoding="utf-8")
    extension("mathml").write_font(site_of(tmp_path), None)
    gc.collect()
    names = TTFont(tmp_path / "_static" / "maths.woff")["name"]
    assert "Open Font License" in names.getDebugName(13) and names.getDebugName(0)
