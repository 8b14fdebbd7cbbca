"""views.open, views.update and views.publish."""

from __future__ import annotations

from typing import Literal

from tests.slack_emulator.arguments import Arguments
from tests.slack_emulator.backend import Backend
from tests.slack_emulator.blockkit import check_blocks
from tests.slack_emulator.errors import SlackError
from tests.slack_emulator.interactions import View
from tests.slack_emulator.limits import VIEW_BLOCKS
from tests.slack_emulator.payload import Json, mapping, objects, string

_TITLE_CHARS = 24
_METADATA_CHARS = 3_000
_CALLBACK_ID_CHARS = 255


def open_view(backend: Backend, arguments: Arguments) -> Json:
    """views.open: needs a fresh trigger."""
    content = _checked(arguments, "modal")
    user = backend.interactions.exchange(arguments.required("trigger_id"))
    return _shown(backend, backend.interactions.put_view(user, "modal", content))


def update(backend: Backend, arguments: Arguments) -> Json:
    """views.update, by id or by external id; with a hash only when nobody was faster."""
    view_id, external_id = arguments.text("view_id"), arguments.text("external_id")
    for view in backend.interactions.views.values():
        if view.id == view_id or (external_id and view.content.get("external_id") == external_id):
            break
    else:
        raise SlackError("not_found")
    if arguments.text("hash") not in {"", view.hash}:
        raise SlackError("hash_conflict")
    return _shown(backend, backend.interactions.replace_view(view, _checked(arguments, view.kind)))


def publish(backend: Backend, arguments: Arguments) -> Json:
    """views.publish: a member's home tab."""
    user = arguments.required("user_id")
    if user not in backend.workspace.users:
        raise SlackError("user_not_found")
    return _shown(backend, backend.interactions.put_view(user, "home", _checked(arguments, "home")))


def _shown(backend: Backend, view: View) -> Json:
    backend.changes.announce()
    return {"view": view.payload(backend.identity.team_id)}


def _checked(arguments: Arguments, kind: Literal["modal", "home"]) -> Json:
    """The view; raise SlackError where Slack would refuse it."""
    view = arguments.object("view")
    reasons = list(_reasons(view, kind))
    if reasons:
        raise SlackError("invalid_arguments", reasons)
    check_blocks(objects(view.get("blocks")), most=VIEW_BLOCKS, modal=True)
    return view


def _reasons(view: Json, kind: Literal["modal", "home"]) -> list[str]:
    reasons: list[str] = []
    if view.get("type") != kind:
        reasons.append(f"unsupported type: {view.get('type')} [json-pointer:/view/type]")
    if kind == "modal":
        if not 0 < len(string(mapping(view.get("title")).get("text"))) <= _TITLE_CHARS:
            reasons.append(f"must be less than {_TITLE_CHARS + 1} characters [json-pointer:/view/title/text]")
        inputs = any(block.get("type") == "input" for block in objects(view.get("blocks")))
        if inputs and "submit" not in view:
            reasons.append("missing required field: submit [json-pointer:/view]")
    for name, most in (("private_metadata", _METADATA_CHARS), ("callback_id", _CALLBACK_ID_CHARS)):
        if len(string(view.get(name))) > most:
            reasons.append(f"must be less than {most + 1} characters [json-pointer:/view/{name}]")
    return reasons
