"""Import contracts for codecs and makes, which import-linter's wildcards cannot say."""

from fnmatch import fnmatchcase

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
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


class MakesContract(Contract):
    """No module imports a make from outside, but for the pairs `allowed`; no make imports what is `above` all makes."""

    type_name = "makes"

    container = fields.StringField()
    above = fields.ListField(subfield=fields.StringField())
    allowed = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Raises ValueError where there is no make: renamed modules must not slip out."""
        makes = [child for child in graph.find_children(str(self.container)) if f"{child}.make" in graph.modules]
        if not makes:
            raise ValueError(f"{self.container} has no make")
        above: list[str] = list(self.above)  # type: ignore[call-overload]
        allowed: list[str] = list(self.allowed or ())  # type: ignore[arg-type]
        wrong = []
        for make in makes:
            inside = {make, *graph.find_descendants(make)}
            for module in inside:
                wrong += [
                    f"{module} -> {name}" for name in graph.find_modules_directly_imported_by(module) if name in above
                ]
                for importer in graph.find_modules_that_directly_import(module) - inside:
                    package = ".".join(importer.split(".")[:2])
                    if f"{package} -> {make}" not in allowed:
                        wrong.append(f"{importer} -> {module}")
        return ContractCheck(kept=not wrong, metadata={"wrong": sorted(wrong)})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["wrong"]:
            output.print_error(line, bold=False)
