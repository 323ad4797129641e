"""An import contract for the makes of devices, which are the packages with a module `make`: none is named."""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


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
