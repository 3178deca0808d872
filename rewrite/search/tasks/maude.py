"""`maude_module`: the searches of a module of Maude, by our engines."""

from __future__ import annotations

import os
from typing import Any

from rewrite.errors import SearchError, tells_unknown_names
from rewrite.readers.maude import Module
from rewrite.results.result import Result
from rewrite.search.api import search


class MaudeModule(Module):
    """A module of Maude.

    file, name  where it stands, and what it is called
    searches    the texts of the `search` commands of its file
    """

    def search(self, command: str | int = 1, **options: Any) -> Result:
        """Search as a command says: one of the file, by its number, or a text.

        options   further arguments of `search`, before what the command says

        Raises ReadError if it cannot be read, and what `search` raises.
        """
        puzzle, said = self.asked(command)
        return search(puzzle, **{**said, **options})


@tells_unknown_names(SearchError, "maude_module")
def maude_module(file: str | os.PathLike[str], module: str | None = None) -> MaudeModule:
    """Read a file of Maude, and return one of its modules, the last system module by default.

    Maude itself parses it: it must be installed (`pip install 'rewrite[maude]'`). No command of
    the file is run.

    Raises ReadError, with file and line, for what is no module of Maude or is not read: see
    `docs/how-to/maude-modules.md`.
    """
    return MaudeModule.of(file, module)
