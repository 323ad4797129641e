"""One struct filled from another that has most of its fields. No I/O here."""

from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import fields

Shape = TypeVar("Shape", bound=Struct)


def filled(shape: type[Shape], source: Struct, /, **given: Any) -> Shape:
    """A struct of this shape; a field that is not given has the value of the same field of `source`.

    Raises AttributeError for a field that `source` has not.
    """
    own = {one.name: getattr(source, one.name) for one in fields(shape) if one.name not in given}
    return shape(**own, **given)
