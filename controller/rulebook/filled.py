"""A struct filled from another one that has most of its fields. No I/O here."""

from typing import Any, TypeVar

from msgspec import Struct

Shape = TypeVar("Shape", bound=Struct)


def filled(shape: type[Shape], source: Struct, /, **given: Any) -> Shape:
    """A struct of this shape; fields that are not given come from `source`. Raises AttributeError for a field that
    `source` lacks.
    """
    own = {name: getattr(source, name) for name in shape.__struct_fields__ if name not in given}
    return shape(**own, **given)
