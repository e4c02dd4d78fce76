"""Words that name feelings, and words that make them stronger or weaker."""

from __future__ import annotations

import re

from relgraph.cues._lexicon import words

# Adjectives and nouns that name a feeling when somebody is it, feels it or has it.
STATES: dict[str, str] = {
    "anger": "angry mad furious annoyed irritated frustrated frustrating pissed resentful livid "
    "enraged outraged infuriated aggravated bitter anger rage resentment frustration fury "
    "irritation fuming triggered exasperated fed",
    "contempt": "disgusted contempt disgust disdain",
    "fear": "afraid scared frightened terrified fearful petrified panicked panicking fear terror "
    "panic scary terrifying threatened",
    "guilt": "guilty guilt remorse remorseful regretful",
    "hurt": "hurt hurtful wounded rejected abandoned betrayed unloved unwanted unappreciated "
    "dismissed neglected devalued invisible unseen unheard broken heartbroken crushed "
    "disrespected disregarded belittled insulted pain painful unimportant humiliated betrayal "
    "rejection abandonment",
    "hope": "hopeful optimistic encouraged hope",
    "joy": "happy glad joyful delighted excited thrilled grateful thankful relieved proud joy "
    "happiness gratitude pleased content",
    "loneliness": "lonely alone isolated disconnected loneliness lonesome unsupported",
    "love": "loved adored cherished",
    "sadness": "sad depressed devastated miserable heartsick grief grieving sorrow sadness "
    "hopeless despair unhappy gutted disappointed disappointment discouraged defeated down empty "
    "mourning",
    "shame": "ashamed embarrassed mortified worthless inadequate humiliation shame pathetic "
    "embarrassing inferior embarrassment",
    "surprise": "surprised shocked stunned astonished startled blindsided amazed shock",
    "tiredness": "tired exhausted drained weary fatigued burnt overwhelmed exhausting exhaustion "
    "overwhelming depleted",
    "worry": "worried anxious nervous concerned uneasy apprehensive stressed tense anxiety worry "
    "insecure unsafe dread dreading",
}
FEELING_OF: dict[str, str] = {w: kind for kind, text in STATES.items() for w in words(text)}
# Verbs that say it of their subject, `i`.
VERBS = {
    "hate": "anger", "resent": "anger", "despise": "contempt", "fear": "fear", "dread": "worry",
    "worry": "worry", "panic": "fear", "hurt": "hurt", "ache": "hurt", "hope": "hope",
    "love": "love", "adore": "love", "miss": "loneliness", "regret": "guilt", "grieve": "sadness",
}  # fmt: skip
# Verbs that say it of their object: "you hurt me", "it scares me".
UPON = {
    "hurt": "hurt", "scare": "fear", "frighten": "fear", "terrify": "fear", "anger": "anger",
    "annoy": "anger", "infuriate": "anger", "irritate": "anger", "frustrate": "anger",
    "piss": "anger", "sadden": "sadness", "crush": "hurt", "devastate": "sadness",
    "embarrass": "shame", "shame": "shame", "humiliate": "shame", "worry": "worry",
    "exhaust": "tiredness", "drain": "tiredness", "overwhelm": "tiredness", "surprise": "surprise",
    "shock": "surprise", "disgust": "contempt", "disappoint": "sadness", "betray": "hurt",
    "reject": "hurt", "abandon": "hurt", "upset": "sadness", "trigger": "anger",
}  # fmt: skip
FEELING_OF["upset"] = "sadness"
FEELING_OF["lost"] = "sadness"

PRIMARY = words("hurt fear sadness shame loneliness")
SECONDARY = words("anger contempt")
STRONG = words(
    "terrified furious devastated livid enraged petrified crushed heartbroken humiliated mortified "
    "desperate hate despise rage terror panic miserable hopeless worthless betrayed abandoned "
    "exhausted thrilled grief despair agony unbearable awful horrible terrible destroyed broken"
)
MILD = words("annoyed irritated concerned uneasy disappointed bothered surprised pleased tired")
MORE = words(
    "so very really extremely incredibly terribly deeply totally completely absolutely utterly "
    "super truly too insanely awfully fucking freaking beyond intensely"
)
LESS = words("little bit kinda kind sort somewhat slightly maybe almost sorta partly fairly")
LINKS = words(
    "'ve have has had be am is are was were been being 'm 's feel felt feeling feels get got "
    "getting gets"
)
BETWEEN = words(
    "just also still always often sometimes now then even like about of and or a an the that "
    "more most such pretty quite um uh i-- , - -- ... ; much all up to in with this"
)
MAKERS = words("make makes made making leave leaves left leaving keep keeps kept got gets get")
NOT = words("n't not never no hardly without neither nor nothing isn't don't didn't wasn't cannot")
UNREAL = words("would 'd could might if unless should wouldn't couldn't")
ABSOLUTE = words("always never everything nothing everyone nobody every all constantly forever")
SWEARING = re.compile(r"\b(?:fuck\w*|shit\w*|bullshit|damn\w*|goddamn\w*|bitch\w*|asshole|hell)\b")
INDIFFERENT = re.compile(
    r"\bi (?:just |really )?(?:don'?t|do not) (?:even )?(?:care|give a \w+)\b(?! (?:for"
    "|about (?:the|"
    r"money)))|\bi(?:'m| am| feel)(?: just| so| completely)? (?:numb|over it|checked out|done with "
    r"(?:you|him|her|it|this))\b|\bi feel nothing\b|\bi couldn'?t care less\b"
)
LONGING = re.compile(
    r"\bi (?:just |really |so )*(?:need|want|long|wish|miss|crave)(?:ed)? (?:for |to (?:feel"
    "|be|know)"
    r" |you to |him to |her to |some(?:one|body) (?:to|who) |that |your |his |her |more |so much )*"
    r"(?:loves? me|loved|wanted|enough|hold me|see me|choose me|chose me|hear me|heard|seen|held|"
    r"close|closeness|love|matter|important|need me|want me|understood|comfort(?:ed)?|hugs?|"
    r"affection|there for me|with me)\b|\bi (?:really |so |just )*miss (?:you|us|him|her|alex)\b"
)
BETWEEN_PEOPLE = words(
    "rejection abandonment loss divorce separation failure intimacy closeness conflict anger "
    "reaction response judgment judgement criticism temper silence distance commitment us person "
    "partner marriage relationship argument fight"
)
"""What is feared in a relationship; a fear of other things (spiders) is no primary emotion here."""
# "I'm afraid we're late" is a polite form: what follows is so, or is said to be.
POLITE = re.compile(
    r"\bafraid (?:so|not)\b|\bafraid (?:that )?(?:i|we|it|there|that|this|the \w+)(?:'m|'re"
    "|'s| am| are"
    r"| is| was| were| have| has|'ve| can'?t| cannot| don'?t| didn'?t| must)\b"
)
