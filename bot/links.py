"""Links that open a cited file at its page: the team's own share where its address is known, else our own server."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import quote

from itsdangerous import BadData, URLSafeTimedSerializer

from bot.conversation import Linker
from rag.errors import ConfigurationError
from rag.types.answers import Citation
from rag.types.documents import DocumentId
from rag.uris import path_of

FILES: Final = "/files"
_SALT: Final = "footnote/files"


class Templates:
    """A URL template a corpus, with {path}, {page}, {label} and {corpus}; `otherwise` makes the links of the rest."""

    def __init__(self, templates: Mapping[str, str], otherwise: Linker) -> None:
        for corpus, template in templates.items():
            _check(corpus, template)
        self._templates = dict(templates)
        self._otherwise = otherwise

    def url(self, citation: Citation) -> str:
        """The citation's place on the team's own share."""
        document = citation.chunk.document
        template = self._templates.get(document.corpus)
        if template is None:
            return self._otherwise.url(citation)
        return template.format(
            path=quote(bytes(path_of(Path(), document.uri))),
            page=citation.page,
            label=quote(citation.label, safe=""),
            corpus=document.corpus,
        )


def _check(corpus: str, template: str) -> None:
    try:
        url = template.format(path="p", page=1, label="i", corpus=corpus)
    except (KeyError, IndexError, ValueError, AttributeError, TypeError) as error:
        raise ConfigurationError(
            f"FOOTNOTE_LINK_TEMPLATES: the template of {corpus!r} may hold {{path}}, {{page}}, {{label}} and "
            f"{{corpus}}, nothing else in braces ({error})"
        ) from error
    if not url.startswith(("https://", "http://")):
        raise ConfigurationError(f"FOOTNOTE_LINK_TEMPLATES: the template of {corpus!r} must begin with https://")


class SignedLinks:
    """Links to our own server. Whoever holds one may open that one file until it expires."""

    def __init__(self, *, base_url: str, secret: str, valid_seconds: float) -> None:
        self._base_url = base_url.rstrip("/")
        self._serializer = URLSafeTimedSerializer(secret, salt=_SALT)
        self._valid_seconds = valid_seconds

    def url(self, citation: Citation) -> str:
        """A link that opens the file; a PDF at its page."""
        document = citation.chunk.document
        token = self._serializer.dumps([document.corpus, document.id])
        name = quote(Path(document.uri).name, safe="")
        return f"{self._base_url}{FILES}/{token}/{name}{_fragment(citation)}"

    def opened(self, token: str) -> tuple[str, DocumentId] | None:
        """Corpus and document of a link that is genuine and has not expired; None for any other."""
        try:
            corpus, document = self._serializer.loads(token, max_age=round(self._valid_seconds))
        except (BadData, ValueError):
            return None
        return str(corpus), DocumentId(str(document))


class FileLinks:
    """Links for the operator's own terminal: the file as it lies on this machine."""

    def __init__(self, roots: Mapping[str, str]) -> None:
        self._roots = dict(roots)

    def url(self, citation: Citation) -> str:
        """A file: URL; empty for a corpus whose folder is not known."""
        document = citation.chunk.document
        root = self._roots.get(document.corpus)
        return "" if root is None else f"{path_of(Path(root), document.uri).absolute().as_uri()}{_fragment(citation)}"


def _fragment(citation: Citation) -> str:
    """Every PDF viewer in a browser understands it: PDF Open Parameters, 2007, sec. 1.1."""
    return f"#page={citation.page}" if citation.chunk.document.kind == "pdf" else ""


def link_secret(configured: str | None, data_dir: Path) -> str:
    """The operator's secret, or one of our own that is made once and kept beside the index."""
    if configured is not None:
        return configured
    path = data_dir / "link.key"
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        draft = data_dir / f"link.key.{secrets.token_hex(4)}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_hex(32), encoding="ascii")
        try:
            path.hardlink_to(draft)  # of two that start at once, one wins
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()
