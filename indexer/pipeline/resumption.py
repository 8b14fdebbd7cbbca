"""What an interrupted run over other drives left in the generation that is gone on with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from rag.store.base import GenerationWriter
from rag.types.index import CorpusInfo


async def settle_others(
    writer: GenerationWriter, known: Mapping[str, CorpusInfo], at_hand: Collection[str]
) -> list[CorpusInfo]:
    """The corpora that are not at hand: counted anew where they serve already, else taken out until their turn.

    Passages of a corpus that the manifest does not name could be found, but not opened.
    """
    documents: Counter[str] = Counter()
    chunks: Counter[str] = Counter()
    async for record in writer.records():
        corpus = record.document.corpus
        if corpus in known:
            documents[corpus] += 1
            chunks[corpus] += record.chunks
        elif corpus not in at_hand:
            await writer.remove(record.document.id)
    return [
        replace(corpus, documents=documents[name], chunks=chunks[name])
        for name, corpus in known.items()
        if name not in at_hand
    ]
