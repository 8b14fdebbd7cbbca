"""Real models: the packaged ones, and some small enough to be made in a test, which no training has touched.

All but the first need torch: a test that asks for one is marked `needs("torch")`.
"""

from __future__ import annotations

import atexit
import json
import shutil
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp

from tokenizers import Tokenizer, processors
from tokenizers.decoders import Metaspace as Joined
from tokenizers.models import Unigram
from tokenizers.pre_tokenizers import Metaspace

from rag.embedding.export import export
from rag.embedding.profiles import MINILM_FP32
from rag.embedding.transformer import SentenceTransformerModel

READS = 40
"""Tokens, special ones included."""
HIDDEN = 32


@cache
def packaged() -> SentenceTransformerModel:
    return SentenceTransformerModel(MINILM_FP32, batch_size=2)


@cache
def exported(*, int8: bool) -> Path:
    """The real weights of MiniLM, converted; once for all tests, since each takes seconds."""
    folder = Path(mkdtemp(prefix="footnote-test-"))
    atexit.register(shutil.rmtree, folder)
    export(packaged(), folder, int8=int8)
    return folder


def a_model(folder: Path, *, pooling: str = "mean", prompts: Mapping[str, str] | None = None, seed: int = 7) -> Path:
    """A BERT of two layers with the vocabulary of MiniLM, as a sentence-transformers folder."""
    _bert(folder, hidden=HIDDEN, spread=0.3, seed=seed)
    _modules(folder, pooling=pooling, prompts=prompts or {})
    return folder


def a_bare_model(folder: Path) -> Path:
    """A BERT without a head, and without the files of sentence-transformers."""
    return _bert(folder, hidden=16, spread=0.5)


def a_cross_encoder(folder: Path) -> Path:
    """A BERT of two layers that gives one number for a pair of texts."""
    return _bert(folder, hidden=16, spread=0.5, labels=1)


def a_multilingual_model(folder: Path, *, prompts: Mapping[str, str] | None = None) -> Path:
    """As multilingual models are built: an XLM-RoBERTa, without token types, with pieces that own their space."""
    import torch  # noqa: PLC0415  # part of an extra
    from transformers import PreTrainedTokenizerFast, XLMRobertaConfig, XLMRobertaModel  # noqa: PLC0415  # likewise

    folder.mkdir(parents=True)
    letters = sorted(set("abcdefghijklmnopqrstuvwxyzäöüß:.,?0123456789"))
    scores = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -2.0)]
    scores += [("▁the", -1.0), ("▁query", -1.0), ("▁passage", -1.0), ("en", -1.5), ("er", -1.5)]
    scores += [(letter, -3.0) for letter in letters]
    tokenizer = Tokenizer(Unigram(scores, unk_id=3, byte_fallback=False))
    tokenizer.pre_tokenizer = Metaspace()
    tokenizer.decoder = Joined()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        cls_token="<s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        model_max_length=READS,
        model_input_names=["input_ids", "attention_mask"],
    ).save_pretrained(folder)
    torch.manual_seed(7)
    config = XLMRobertaConfig(
        vocab_size=len(scores),
        hidden_size=HIDDEN,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=READS + 2,  # the first two are of padding
        type_vocab_size=1,
        initializer_range=0.3,
    )
    XLMRobertaModel(config).save_pretrained(folder)
    _modules(folder, pooling="mean", prompts=prompts or {})
    return folder


def _bert(folder: Path, *, hidden: int, spread: float, labels: int | None = None, seed: int = 7) -> Path:
    """With weights drawn at random; with `labels`, as a classifier."""
    import torch  # noqa: PLC0415  # part of an extra
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizer  # noqa: PLC0415  # likewise

    folder.mkdir(parents=True)
    vocabulary = shutil.copy(str(files("rag.embedding") / "minilm" / "vocab.txt"), folder / "vocab.txt")
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=30522,
        hidden_size=hidden,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=2 * hidden,
        initializer_range=spread,
    )
    if labels is None:
        BertModel(config).save_pretrained(folder)
    else:
        config.num_labels = labels  # its constructor is not typed for it
        BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizer(str(vocabulary)).save_pretrained(folder)
    return folder


def _modules(folder: Path, *, pooling: str, prompts: Mapping[str, str]) -> None:
    kinds = {"": "Transformer", "1_Pooling": "Pooling", "2_Normalize": "Normalize"}
    modules = [
        {"idx": place, "name": str(place), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for place, (path, kind) in enumerate(kinds.items())
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": READS}))
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": dict(prompts)}))
    for path in ("1_Pooling", "2_Normalize"):
        (folder / path).mkdir()
    switches = {"cls": "pooling_mode_cls_token", "mean": "pooling_mode_mean_tokens", "max": "pooling_mode_max_tokens"}
    told = {switch: kind == pooling for kind, switch in switches.items()}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"word_embedding_dimension": HIDDEN, **told}))
