"""What every answer of a person has. No I/O here."""

import msgspec


class PersonInput(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """Something a person answers on a screen.

    `input_id` is the client's own and makes a repeat harmless; `step_id` names the step the person saw; `actor` is a
    name from the configuration's [people].
    """

    input_id: str
    step_id: str
    actor: str
