"""The notebooks run from the first cell to the last; their assertions hold."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path):
    if "train" in path.stem:
        pytest.importorskip("gymnasium")
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert any("assert" in "".join(cell["source"]) for cell in cells)
    names: dict[str, object] = {}
    for cell in cells:
        exec(compile("".join(cell["source"]), path.name, "exec"), names)
