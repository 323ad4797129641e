"""An import contract for modules known by the end of their name, which import-linter's wildcards cannot say."""

from fnmatch import fnmatchcase

from grimp import ImportGraph
from importlinter import ContractCheck, fields
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.domain.imports import ModuleExpression


class CodecContract(ForbiddenContract):
    """A forbidden contract whose `source_modules` are shell patterns over full module names.

    A pattern that matches nothing is an error: a renamed codec must not slip out from under its contract.
    """

    type_name = "codecs"

    source_modules = fields.SetField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Put the modules that match in the place of the patterns, and check them as any forbidden contract does."""
        patterns: set[str] = set(self.source_modules)  # type: ignore[call-overload]
        matched: set[str] = set()
        for pattern in patterns:
            found = {module for module in graph.modules if fnmatchcase(module, pattern)}
            if not found:
                raise ValueError(f"no module matches {pattern}")
            matched |= found
        self.source_modules = {ModuleExpression(module) for module in matched}  # type: ignore[assignment]
        return super().check(graph, verbose)
