"""The same figures in JupyterLab, with a kernel that sees what the reader moves."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

RAN = re.compile(r"\[\d+\]")  # a cell that has ended
WAIT = 120_000  # ms: a busy machine starts a kernel and imports torch
SHOW = """from course_lib.figures.moving import softmax_figure

figure = softmax_figure(["cats", "love"], [2.0, 1.0])
figure"""
ASK = 'print("kernel sees", figure.state["temperature"])'
SET = 'figure.state = {**figure.state, "temperature": 2.0}\nprint("set")'


@pytest.fixture
def lab(tmp_path):
    """A JupyterLab over a folder with one notebook; the notebook's address."""
    cells = [nbformat.v4.new_code_cell(source) for source in (SHOW, ASK, SET)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    (tmp_path / "moving.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    token = os.urandom(16).hex()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1"]
    command += ["--port=0", f"--IdentityProvider.token={token}"]
    command += ["--ServerApp.root_dir=.", "--LabApp.news_url=None", "--allow-root"]
    # Settings and kernels of this Python only, whatever else is installed for this user.
    places = {f"JUPYTER_{kind}_DIR": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "RUNTIME")}
    environment = {**os.environ, **places, "JUPYTERLAB_SETTINGS_DIR": str(tmp_path / "settings")}
    environment["JUPYTERLAB_WORKSPACES_DIR"] = str(tmp_path / "workspaces")
    log = tmp_path / "server.log"
    with log.open("w", encoding="utf-8") as output_file:
        server = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=output_file, stderr=output_file
        )
        try:
            root = wait_until_up(tmp_path / "RUNTIME", server, log)
            yield f"{root}lab/tree/moving.ipynb?token={token}"
        finally:
            server.terminate()
            server.wait(timeout=300)


def wait_until_up(runtime: Path, server: subprocess.Popen, log: Path) -> str:
    """Wait until the server answers; the address that it has chosen and written down."""
    while True:
        assert server.poll() is None, log.read_text(encoding="utf-8")
        try:
            (told,) = runtime.glob("jpserver-*.json")
            root = f"http://127.0.0.1:{json.loads(told.read_text(encoding='utf-8'))['port']}/"
            urllib.request.urlopen(f"{root}login", timeout=5).close()
            return root
        except (OSError, ValueError):  # not yet, or half written
            time.sleep(0.1)


def test_the_kernel_sees_what_moves_and_moves_what_is_seen(lab, visit):
    TimeoutError = pytest.importorskip("playwright.sync_api").TimeoutError
    page = visit(lab).page
    # On a slow machine the first keys come before the kernel, and JupyterLab asks which one.
    asked = page.locator(".jp-Dialog", has_text="Select Kernel")
    page.add_locator_handler(asked, lambda: asked.locator(".jp-mod-accept").click())
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    cells.first.wait_for(timeout=WAIT)
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for(timeout=WAIT)

    def run(number: int):
        """Run a cell; once more where the page was not yet ready to hear the keys."""
        cell = cells.nth(number)
        for _ in range(30):
            cell.locator(".cm-content").click()
            page.keyboard.press("Control+Enter")
            try:
                cell.locator(".jp-InputPrompt", has_not_text="[ ]").wait_for(timeout=4000)
                break
            except TimeoutError:
                continue
        cell.locator(".jp-InputPrompt", has_text=RAN).wait_for(timeout=WAIT)
        return cell.locator(".jp-OutputArea-output").first

    run(0).wait_for(timeout=WAIT)
    figure = cells.nth(0).locator(".attn-figure")
    figure.wait_for(timeout=WAIT)
    assert "Temperature 1.00" in figure.locator(".attn-said").inner_text()

    slider = figure.get_by_role("slider", name="temperature")
    slider.focus()
    for key in ("ArrowRight", "Home", "d", "d", "End"):  # d d deletes a cell, where Lab hears it
        page.keyboard.press(key)
    assert slider.evaluate("node => node === document.activeElement")
    assert cells.count() == 3
    assert "Temperature 100.00" in figure.locator(".attn-said").inner_text()
    # Lab sends one change at a time: the last may follow behind what is run now.
    for _ in range(30):
        output = run(1)
        output.wait_for(timeout=WAIT)
        if output.inner_text().strip() == "kernel sees 100":
            break
    assert output.inner_text().strip() == "kernel sees 100"

    run(2).wait_for(timeout=WAIT)
    figure.locator(".attn-said", has_text="Temperature 2.00").wait_for(timeout=WAIT)
