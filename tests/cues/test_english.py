"""Whether people speak English."""

import pytest

import relgraph
from relgraph.cues.english import seems_english


@pytest.mark.parametrize(
    "text",
    [
        "Er h\u00f6rt mir nie zu. Immer sitzt er vor dem Fernseher. Das stimmt doch gar nicht! "
        "Warum redest du nie mit mir? Lass mich in Ruhe, so will ich das nicht.",
        "Ik weet niet of je me begrijpt. We praten nooit meer over ons. Dat is niet waar, je was "
        "er nooit en ik ben moe. Is het of je me haat?",
        "Je ne sais pas si tu me comprends. On ne parle jamais. Ce n'est pas vrai, tu es toujours "
        "au travail et je suis fatigu\u00e9e.",
        "No me escuchas nunca. No es verdad, siempre est\u00e1s en el trabajo y yo estoy cansada "
        "de esperar. Me da igual lo que digas a tu madre.",
        "\u042f \u0443\u0441\u0442\u0430\u043b\u0430 " * 10,
    ],
)  # fmt: skip
def test_other_languages_are_told_from_english(text: str) -> None:
    assert not seems_english([text])


def test_english_talk_and_a_few_words_are_believed_to_be_english() -> None:
    for conversation in relgraph.read("sample"):
        assert seems_english(turn.text for turn in conversation.turns)
    assert seems_english(["Ja, nein, vielleicht."])
    assert seems_english([])
