"""The notebooks run from the first cell to the last; their assertions hold."""

import json
import os
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
# those that train, and that compare all formulations, take long: they are for `npm run validate`
if "NEXDYN_LONG" not in os.environ:
    NOTEBOOKS = [path for path in NOTEBOOKS if path.stem not in ("1-choose-a-contact-model", "2-train")]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path):
    if "train" in path.stem:
        pytest.importorskip("gymnasium")
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert any("assert" in "".join(cell["source"]) for cell in cells)
    names: dict[str, object] = {}
    for cell in cells:
        exec(compile("".join(cell["source"]), path.name, "exec"), names)
