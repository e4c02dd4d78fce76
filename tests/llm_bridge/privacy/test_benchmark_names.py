"""On the benchmark's own data: no participant's name is in a prompt. No name is ever printed."""

from pathlib import Path

from relgraph.approach import Settings
from relgraph.corpora import read
from relgraph.llm_bridge.asking import AskingApproach
from relgraph.llm_bridge.privacy._names import name_words
from relgraph.llm_bridge.privacy._words import RUN, WORDS_TOO, composed, key, keys_of
from relgraph.records import View
from relgraph.registry import load

CONVERSATIONS = 12


def test_no_prompt_for_the_benchmark_holds_a_participants_name(rescue_folder: Path) -> None:
    view = View(mode="audiovisual")
    settings = Settings(model="mock", calls="none", pseudonymize=True, view=view)
    asking = AskingApproach("llm", settings).fit((), seed=0)
    conversations = read(rescue_folder / "rescue_dev.jsonl")
    found = looked_for = 0
    step = len(conversations) // CONVERSATIONS
    for conversation in conversations[::step]:
        cases = load("task", "stp").cases(conversation, view)
        if not cases:
            continue
        text = asking.prompt(cases[-1].instance)
        large = {key(run) for run in RUN.findall(composed(text)) if not run.islower()}
        for name in conversation.roster:
            words = {key(word) for word in name_words(name)}
            looked_for += len(words)
            found += len((words - WORDS_TOO) & keys_of(text)) + len(words & WORDS_TOO & large)
    # Counts alone, so that a failure prints no name.
    assert looked_for > CONVERSATIONS
    assert found == 0
