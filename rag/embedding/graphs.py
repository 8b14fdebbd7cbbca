"""A transformer's graph in an ONNX file, run by onnxruntime or by OpenVINO: token ids in, one vector a token out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt
import onnxruntime
from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidArgument, InvalidGraph, InvalidProtobuf, NoSuchFile

from rag.errors import ConfigurationError
from rag.types.vectors import Matrix

IDS: Final = "input_ids"
MASK: Final = "attention_mask"
TYPES: Final = "token_type_ids"
Feed = dict[str, npt.NDArray[np.int64]]


class Graph(Protocol):
    """What runs a model; it is asked from several threads at once."""

    def hidden(self, ids: Sequence[int]) -> Matrix:
        """One row a token, special tokens included, not normalised: shape (len(ids), dimensions)."""
        ...


class OnnxGraph:
    """By onnxruntime, one core a text."""

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # texts differ in length: an arena would keep the largest of each
        try:
            self._session = onnxruntime.InferenceSession(path.as_posix(), options, providers=["CPUExecutionProvider"])
        except (Fail, InvalidArgument, InvalidGraph, InvalidProtobuf, NoSuchFile) as error:
            raise ConfigurationError(f"{path} cannot be loaded by onnxruntime: {error}") from error
        self._inputs = frozenset(node.name for node in self._session.get_inputs())

    def hidden(self, ids: Sequence[int]) -> Matrix:
        """One row a token."""
        return np.asarray(self._session.run(None, _feed(ids, self._inputs))[0], dtype=np.float32)[0]


class OpenVinoGraph:
    """By OpenVINO, as many texts at once as there are threads."""

    def __init__(self, path: Path, *, threads: int | None = None) -> None:
        try:
            import openvino  # noqa: PLC0415  # part of an extra
        except ModuleNotFoundError as error:
            raise ConfigurationError(
                "FOOTNOTE_EMBEDDING__BACKEND=openvino needs OpenVINO: run `pip install -c constraints.txt "
                "'.[openvino]'` in the folder of the source, or set auto"
            ) from error
        count = threads or os.cpu_count() or 1
        options = {
            "NUM_STREAMS": count,
            "INFERENCE_NUM_THREADS": count,
            "INFERENCE_PRECISION_HINT": "f32",  # else some processors compute in 16 bits, and vectors differ by machine
        }
        try:
            compiled = openvino.Core().compile_model(path.as_posix(), "CPU", options)
        except RuntimeError as error:
            raise ConfigurationError(f"{path} cannot be loaded by OpenVINO: {error}") from error
        self._inputs = frozenset(node.any_name for node in compiled.inputs)
        self._requests: SimpleQueue[Any] = SimpleQueue()
        for _ in range(count):
            self._requests.put(compiled.create_infer_request())

    def hidden(self, ids: Sequence[int]) -> Matrix:
        """One row a token."""
        request = self._requests.get()
        try:
            return np.array(request.infer(_feed(ids, self._inputs))[0][0], dtype=np.float32)  # a copy: it is reused
        finally:
            self._requests.put(request)


def _feed(ids: Sequence[int], inputs: frozenset[str]) -> Feed:
    row = np.array([ids], dtype=np.int64)
    whole = {IDS: row, MASK: np.ones_like(row), TYPES: np.zeros_like(row)}
    return {name: value for name, value in whole.items() if name in inputs}
