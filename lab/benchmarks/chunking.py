"""The processor time that each chunker takes, how much text its chunks share, and how long they are.

The tokens are those of the packaged model. Sentences are compared by the words that they share unless `--model` is
given: the time that a model takes over them is not the chunker's, and it is the same for every megabyte.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from indexer.bootstrap import ModelRuler, ModelSimilarity
from indexer.chunking import CHUNKERS
from indexer.chunking.base import Piece, Similarity
from rag.embedding.minilm import MiniLM
from rag.embedding.tokens import WordPieces
from rag.types.documents import Page
from tests.indexer.chunking.similarities import SharedWords
from tests.indexer.chunking.texts import LIKE_REAL_ONES

MEGABYTE: Final = 1_000_000  # characters
SIZES: Final = (1, 2, 5, 10)
PAGE_CHARS: Final = 3_000


def pages_of(text: str, *, chars: int, as_one: bool) -> list[Page]:
    """The text over and over up to a length, as one page or as many."""
    whole = (text * (chars // len(text) + 1))[:chars]
    step = chars if as_one else PAGE_CHARS
    return [Page(number, whole[at : at + step]) for number, at in enumerate(range(0, chars, step), start=1)]


def measure(text: str, similarity: Callable[[], Similarity], *, sizes: Sequence[int], as_one: bool) -> dict[str, Any]:
    """Seconds a megabyte, and what the chunks of the first look like, of every chunker."""
    return {name: _figures(name, text, similarity, sizes=sizes, as_one=as_one) for name in CHUNKERS}


def _figures(
    name: str, text: str, similarity: Callable[[], Similarity], *, sizes: Sequence[int], as_one: bool
) -> dict[str, Any]:
    ruler = ModelRuler(WordPieces())
    chunker = CHUNKERS[name](ruler, similarity())
    seconds: dict[int, float] = {}
    shape: dict[str, Any] = {}
    for size in sizes:
        pages = pages_of(text, chars=size * MEGABYTE, as_one=as_one)
        began = time.process_time()
        pieces = chunker.cut(pages, title="Handbook")
        seconds[size] = time.process_time() - began
        shape = shape or _shape(ruler, pages, pieces)
    rates = {f"{size}_mb": round(taken / size, 2) for size, taken in seconds.items()}
    growth = (seconds[sizes[-1]] / sizes[-1]) / (seconds[sizes[0]] / sizes[0])
    return {"seconds_per_mb": rates, "last_to_first": round(growth, 2), **shape}


def _shape(ruler: ModelRuler, pages: Sequence[Page], pieces: Sequence[Piece]) -> dict[str, Any]:
    lengths = [len(ruler.ends(piece.page.text[piece.start : piece.end])) for piece in pieces]
    once = sum(len(ruler.ends(page.text)) for page in pages)
    quarters = statistics.quantiles(lengths, n=20)
    return {
        "chunks": len(pieces),
        "tokens_5th_50th_95th_most": [round(quarters[0]), round(quarters[9]), round(quarters[18]), max(lengths)],
        "duplicated_share": round(sum(lengths) / once - 1, 3),
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="*", help="texts in UTF-8 to cut; a made one when there is none")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="megabytes, ascending")
    parser.add_argument("--one-page", action="store_true", help="all of it as one page")
    parser.add_argument("--model", action="store_true", help="compare sentences by the packaged model: minutes")
    arguments = parser.parse_args()
    files: list[Path] = arguments.file
    texts = [path.read_text(encoding="utf-8") for path in files] or list(LIKE_REAL_ONES.values())

    def similarity() -> Similarity:
        return ModelSimilarity(MiniLM) if arguments.model else SharedWords()

    figures = measure("\n\n".join(texts), similarity, sizes=arguments.sizes, as_one=arguments.one_page)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
