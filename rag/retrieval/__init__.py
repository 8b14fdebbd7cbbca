"""Retrieval modes: a base that searches, stages over it in order, and one last step that is the same for all.

`hybrid+ranker+cross` is the base `hybrid`, then the stages `ranker` and `cross`; then `LAST_STEP` weighs what came of
it. To add a base or a stage: write its file, add its line. Who names a mode spells the keys of these tables.
"""

from collections.abc import Callable, Mapping
from typing import Final

from rag.retrieval.base import Retriever
from rag.retrieval.calibrator import Calibrator
from rag.retrieval.deps import RetrievalDeps
from rag.retrieval.hierarchical import HierarchicalRetriever
from rag.retrieval.late import late
from rag.retrieval.multi_query import queries
from rag.retrieval.ranker import RankerStage
from rag.retrieval.rerank import cross
from rag.retrieval.searches import bm25, dense, fusion, hybrid, mmr

# A base searches the store: question in, candidates out. Making one raises ConfigurationError where something is
# missing that it needs.
BASES: Final[Mapping[str, Callable[[RetrievalDeps], Retriever]]] = {
    "dense": dense,
    "bm25": bm25,
    "hybrid": hybrid,
    "fusion": fusion,
    "mmr": mmr,
    "hierarchical": HierarchicalRetriever,
}

# A stage wraps a base, or the stages before it: it orders their candidates anew, or adds to them. Making one raises
# ConfigurationError likewise, and is slow where it loads a model.
STAGES: Final[Mapping[str, Callable[[Retriever, RetrievalDeps], Retriever]]] = {
    "ranker": RankerStage,
    "queries": queries,
    "cross": cross,
    "late": late,
}

# The last step turns candidates into a result: each passage with the probability that it answers.
LAST_STEP: Final = Calibrator
