"""The page on configurations explains every field that its files have."""

from pathlib import Path

from book.helpers.configurations import released_models
from tools.notebooks import read

PAGE = Path(__file__).parents[2] / "book" / "reading_any_configuration.ipynb"


def test_every_field_leads_to_a_page():
    cells = [cell.source for cell in read(PAGE).cells if cell.cell_type == "markdown"]
    (table,) = [text for text in cells if "| field | what it does | runs on |" in text]
    used = {name for model in released_models().values() for name in model.fields}
    assert [name for name in sorted(used - {"model_type"}) if f"`{name}`" not in table] == []
