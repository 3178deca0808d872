"""The notebook of docs/ runs from top to bottom, and shows what it says it shows."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).parents[2] / "docs/tutorial/look-and-play.ipynb"
SHOWN = {  # the last line of a cell -> what must stand in the HTML that it shows
    "jugs": ["<table", "pour {V} into {W}", "<svg"],
    "jugs.start": ["<svg", "[Jug(3, 0), Jug(5, 0)]"],
    "result": ["6 steps, shortest", "rw-bar", '<iframe sandbox="allow-scripts"'],
    "result.path": ['<iframe sandbox="allow-scripts"', "<svg", "6. pour 5 into 3"],
    "explore(jugs)": ["rw-node-start", "rw-node-goal"],
    "far": ["rw-bar", "stopped by max_depth=14"],
    'compare(jugs, ["breadth_first", "uniform_cost"])': ["<table", "uniform_cost"],
}


def test_the_notebook_is_kept_without_outputs() -> None:
    cells = [one for one in json.loads(FILE.read_text("utf-8"))["cells"] if "outputs" in one]
    assert len(cells) > 5
    assert [(one["outputs"], one["execution_count"]) for one in cells] == [([], None)] * len(cells)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The notebook after it has run in an empty folder, with this Python."""
    reason = "the notebook runs with nbclient and ipykernel, which are not installed here"
    nbclient = pytest.importorskip("nbclient", reason=reason)
    nbformat = pytest.importorskip("nbformat", reason=reason)
    pytest.importorskip("ipykernel", reason=reason)
    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.read(FILE, as_version=4)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            patch.setenv(name, str(folder / name.lower()))  # whatever else is installed here
        client = nbclient.NotebookClient(
            notebook,
            timeout=300,
            kernel_name="python3",
            resources={"metadata": {"path": str(folder)}},
        )
        client.execute()
    return notebook, folder


def test_every_cell_runs_and_says_nothing_on_stderr(run: Any) -> None:
    notebook, _ = run
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    streams = [out for cell in cells for out in cell.outputs if out.output_type == "stream"]
    assert [out.text for out in streams if out.name == "stderr"] == []


@pytest.mark.parametrize("line", SHOWN)
def test_a_cell_shows_a_face(run: Any, line: str) -> None:
    [cell] = [one for one in run[0].cells if one.source.splitlines()[-1:] == [line]]
    html = cell.outputs[0].data["text/html"]
    for part in SHOWN[line]:
        assert part in html


def test_what_the_notebook_writes_are_files_that_stand_alone(run: Any) -> None:
    _, folder = run
    page, picture = ((folder / name).read_text("utf-8") for name in ("jugs.html", "jugs.svg"))
    assert page.startswith("<!DOCTYPE html>")
    assert picture.startswith("<svg")
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page + picture) == []


def test_every_face_of_the_notebook_is_expected_by_these_tests(run: Any) -> None:
    shown = [
        cell.source.splitlines()[-1]
        for cell in run[0].cells
        if cell.cell_type == "code"
        and any("text/html" in out.get("data", {}) for out in cell.outputs)
    ]
    assert sorted(shown) == sorted(SHOWN)
