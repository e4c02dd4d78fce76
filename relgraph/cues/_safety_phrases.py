"""How people speak of fear, control, threats and violence: patterns over the parsed text.

`a` is who does it (fear: who is afraid), `b` whom it is done to (fear: who is feared), `k` the
word whose negation counts. They are regular expressions and no phrase table, because who does it
to whom stands on both sides of the verb.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from relgraph.cues._phrases import NAME

KIN = (
    r"(?:my|our|your|his|her) (?:ex|husband|wife|partner|boyfriend|girlfriend|mother|mom|mum|father|dad"
    r"|son|daughter|brother|sister|uncle|aunt|parents|kids?|child|children|step\w+|grand\w+)"
)
DOER = rf"(?P<a>i|you|he|she|they|{NAME}|{KIN})"
DONE = rf"(?P<b>me|you|him|her|them|us|{NAME}|{KIN})"
OTHER = rf"(?P<b>you|him|her|them|me|{NAME}|{KIN})"
WHO_ELSE = rf"(?P<b>you|he|she|they|{NAME}|{KIN})"
LINK = (
    r"(?:'m|'s|'re|'ve|'d| am| is| are| was| were| has| have| had| been| be| got| gets?| getting"
    r"| feels?| felt| feeling| just| really| so| very| too| kind of| a little| a bit| actually| still"
    r"| always| sometimes| often| both| also| even| physically| genuinely|,? like,?| being| not"
    r"| never|n't| don't| didn't| wasn't){0,5}"
)
ADVERBS = (
    r"(?:'s|'ve|'d| has| have| had| was| is| are| were| would| used to| started| starts| keeps?| kept"
    r"| just| actually| even| also| then| almost| really| physically| literally| once| twice| always"
    r"| ever| sometimes| never| not| didn't| doesn't| don't| hasn't| haven't| wouldn't| did not"
    r"|,? like,?| fucking| got up and| came over and| came and| would never){0,4}"
)
AFRAID = r"(?P<k>scared|afraid|frightened|terrified|fearful|petrified)"
HARMS = (
    r"(?:hurt|hit|kill|attack|explode|snap|lose (?:it|your temper|his temper|her temper)|go off"
    r"|blow up|find out|get (?:angry|mad|violent|physical|upset)|yell|scream|beat|punish|throw"
    r"|come after|do something|go crazy|freak out|take it out)"
)
WILL = (
    r"(?:'ll| will|'m going to|'m gonna| am going to| am gonna|'re going to|'s going to|'re gonna)"
)
IN_CLAUSE = r"[^.?!;\n]"


class Pattern(NamedTuple):
    """A pattern of one cue: how strong, and what has to be known to read it.

    Attributes:
        cue: name of the cue.
        strength: in (0, 1].
        regex: with the groups `a`, `b`, `k`, each of which may be missing.
        denies: it holds a negation of its own ("does not let me").
        rule_of_parents: between parents and children it is everyday; not given in a family.
        mutual: it says nothing of who does it: given both ways between two clients.
    """

    cue: str
    strength: float
    regex: re.Pattern[str]
    denies: bool = False
    rule_of_parents: bool = False
    mutual: bool = False


def _p(cue: str, strength: float, regex: str, **flags: bool) -> Pattern:
    return Pattern(cue, strength, re.compile(rf"(?<!\w)(?<!\w')(?:{regex})", re.I), **flags)


_FEAR = (
    _p(
        "fear_of",
        0.9,
        rf"{DOER}{LINK} {AFRAID} (?:to death )?(?:of|by) {OTHER}(?![\w'])"
        r"(?! (?:leav|los|dy|be|not|go|find|think|get|forget|mov|giv|do(?!ing s)|hav|los|walk|want|com(?!ing (?:home|after))|becom|tak|say|meet|mak|judg|reject|abandon|cheat|chang|fail|lik|see|feel|with)\w*)",
    ),
    _p("fear_of", 0.8, rf"{DOER}{LINK} {AFRAID} of (?:what|how) {WHO_ELSE}(?:'ll|'d| will| would| might| could| can| may| gets?)\b"),
    _p("fear_of", 0.8, rf"{DOER}{LINK} {AFRAID} of (?P<b>your|his|her|their|{NAME}'s) (?:temper|anger|rage|reaction|moods?|outbursts?|yelling|violence|hands|fists|drinking)\b"),
    _p("fear_of", 0.85, rf"{DOER}{LINK} {AFRAID} (?:that )?{WHO_ELSE}(?:'ll|'d| will| would| might| could|'s going to|'re going to| is going to| are going to|'s gonna|'re gonna) (?:just |really |actually )?{HARMS}\b"),
    _p("fear_of", 0.65, rf"{DOER}{LINK} {AFRAID} to (?:even |ever )?(?:tell|talk to|speak to|speak up (?:to|with)|ask|disagree with|be alone with|be around|be near|go home to|come home to|upset|contradict|say (?:no|anything|things|something) to|sleep next to|be with|confront|leave) {OTHER}(?![\w'])(?! (?:the truth|that i love))"),
    _p("fear_of", 0.6, rf"{DOER}{LINK} {AFRAID} to (?:go home|come home|be alone at home|be in the house|sleep at night|say no|open my mouth)\b"),
    _p("fear_of", 0.75, rf"{DOER}{LINK} {AFRAID} (?:when|whenever|if) {WHO_ELSE}(?: \w+)? (?:gets?|yells?|screams?|drinks?|comes? home|loses?|raises?|starts?|shouts?|throws?|looks?)\b"),
    _p("fear_of", 0.7, rf"(?:when|whenever) {WHO_ELSE}(?: \w+)? (?:gets?|get so|yells?|screams?|drinks?|comes? home|loses?|raises?|shouts?|throws?){IN_CLAUSE}{{0,40}}?,? (?P<a>i)(?: get| am|'m| feel| was)(?: \w+)? {AFRAID}\b"),
    _p("fear_of", 0.75, rf"(?P<b>you|he|she|they|{NAME}|{KIN})(?: really| just| always| can| does| actually| kind of| often|'s| have|'ve|,? like,?| did not| didn't| doesn't| don't| never){{0,3}} (?P<k>scares?|scared|scaring|frightens?|frightened|terrif(?:y|ies|ied)|intimidates?|intimidated) (?P<a>me|us|him|her|{NAME})(?![\w'])(?! with)"),
    _p("fear_of", 0.5, rf"(?P<a>i|we|you|he|she|{NAME}|everyone){IN_CLAUSE}{{0,30}}?\b(?P<k>walk|walking|walks|tiptoe|tiptoeing) (?:on|around) (?:eggshells|egg shells)(?: (?:around|with|near) (?P<b>you|him|her|{NAME}))?"),
    _p("fear_of", 0.75, rf"(?P<a>i|she|he|{NAME}) (?:don't|do not|didn't|doesn't|never|can't|did not|does not)(?: \w+)? feel (?:physically )?safe (?:with|around|near|next to|alone with|living with) (?P<b>you|him|her|{NAME}|{KIN})", denies=True),
    _p("fear_of", 0.75, r"(?P<a>i|she|he) (?:don't|do not|didn't|doesn't|never|can't)(?: \w+)? feel (?:physically )?safe (?:at home|in (?:my|our|the|this) (?:own )?(?:home|house|bed))", denies=True),
    _p("fear_of", 0.5, r"(?P<a>i) (?:don't|do not|didn't|never|can't)(?: \w+)? feel (?:physically )?safe\b(?! (?:to|enough|telling|sharing|opening|saying|being|talking|with|around|near|at|in))", denies=True),
    _p("fear_of", 0.7, rf"(?P<a>i|she|he|{NAME})(?: \w+)? feels? (?:very |really |so )?unsafe (?:with|around|near) (?P<b>you|him|her|{NAME})"),
    _p("fear_of", 0.7, rf"(?P<a>i)(?: \w+)? (?:hide|hid|lock(?:ed)? myself)\b{IN_CLAUSE}{{0,25}}?(?:from|when|whenever|because) (?P<b>you|he|she|him|her|{NAME})\b(?! (?:the|my|that))"),
)  # fmt: skip

_COERCION = (
    _p("coercion", 0.7, rf"{DOER} (?:won't|doesn't|don't|wouldn't|didn't|never|would never|will not|does not|did not)(?: even| ever| really)? (?P<k>lets?|allows?|allowed) {DONE} (?:to )?(?:leave|see (?:my|any|other|his|her|your|people)|go(?! of| on)|work|drive|spend|use|visit|call|wear|eat|sleep|have (?:any |my (?:own )?|a |the )?(?:money|friends|phone|access|job|keys|bank|card|car)|out\b|talk to (?:my|other|any)|buy|meet)", denies=True, rule_of_parents=True),
    _p("coercion", 0.6, rf"(?P<b>i|she|he|{NAME})(?:'m| am|'s| is| was) (?:not|never) (?P<k>allowed) to (?:see|go|leave|talk to|spend|work|drive|use|call|wear|visit|have (?:any |my (?:own )?|a )?(?:money|friends|phone|job|card))", denies=True, rule_of_parents=True),
    _p("coercion", 0.8, rf"{DOER}{ADVERBS} (?P<k>forbids?|forbade|forbidden|prohibits?|prohibited) {DONE}\b"),
    _p("coercion", 0.65, rf"{DOER}{ADVERBS} (?P<k>check|checks|checked|checking|goes through|go through|went through|going through|reads?|track|tracks|tracked|tracking|monitors?|monitored|monitoring|takes?|took|hides?|hid|controls?|controlled) (?:all )?(?P<b>my|her|his|your|{NAME}'s) (?:\w+ )?(?:phone|messages|texts|emails?|location|keys|money|bank|cards?|passport|finances|every move|mileage)\b", rule_of_parents=True),
    _p("coercion", 0.6, rf"(?P<a>you|he|she|{NAME}){ADVERBS} (?P<k>controls?|controlled) (?:all (?:of )?)?(?:the|our) (?:\w+ )?(?:money|accounts?|finances)\b(?! together)", rule_of_parents=True),
    _p("coercion", 0.7, rf"(?P<a>you|he|she|they|{NAME}|{KIN}){ADVERBS} (?P<k>controls?|controlled|isolates?|isolated|stalks?|stalked|imprison\w*) {DONE}(?![\w'])"),
    _p("coercion", 0.7, rf"{DOER}{ADVERBS} (?P<k>forces?|forced|forcing|coerced?|coerces|blackmail\w*) {DONE} (?:to|into)\b(?! (?:think|confront|look|face|realiz|see|grow|be honest|be better|consider|talk))"),
    _p("coercion", 0.8, rf"{DOER}{ADVERBS} (?P<k>force[sd]?) (?:himself|herself|yourself|myself) on {DONE}\b"),
    _p("coercion", 0.8, rf"{DOER}{ADVERBS} (?P<k>locks?|locked|locking) {DONE} (?:in|out|up|inside|outside)\b"),
    _p("coercion", 0.7, rf"{DOER}{ADVERBS} (?P<k>follows?|followed|following) {DONE} (?:around|everywhere|to work|home|in (?:his|her|the) car)\b(?! (?:the|like))"),
    _p("coercion", 0.8, rf"{DOER}{ADVERBS} (?P<k>cuts?|keeps?|kept|cutting|keeping) {DONE} (?:off from|away from|from seeing) (?:my|his|her|your|all|everyone|friends|other)\b"),
    _p("coercion", 0.5, rf"(?P<b>i)(?: always| even| still)? (?:have to|need to|had to|must) (?:ask|get) (?:(?P<a>you|him|her|his|your|{NAME}|{NAME}'s) )?(?:for )?(?P<k>permission)\b", rule_of_parents=True),
)  # fmt: skip

_THREAT = (
    _p("threat", 0.9, rf"(?P<a>i){WILL} (?:fucking |just |really |seriously )?(?P<k>kill|hurt|hit|slap|punch|beat|smack|strangle|choke|destroy|ruin|shoot|stab) (?P<b>you|him|her|them|{NAME})(?![\w'])"),
    _p("threat", 0.8, rf"(?P<a>i){WILL} (?:just |fucking )?(?P<k>leave|divorce|dump) (?P<b>you|him|her|{NAME})(?![\w'])(?! (?:alone|to|a|the|with|my|some|it|be|in|out|off|for a|at|here|there))"),
    _p("threat", 0.75, rf"(?P<a>i){WILL} (?:just )?(?:take (?:the|our|my) (?:kids|children|boys|girls|house|baby)|(?:kick|throw) (?P<b>you|him|her|{NAME}) out|cut (?:you|him|her) off|call (?:the police|the cops|social services|immigration) on)\b"),
    _p("threat", 0.7, rf"(?:if|unless|next time|one more time) (?:you|he|she|{NAME})\b{IN_CLAUSE}{{0,60}}?(?P<a>i)(?:'ll| will|'m going to|'m gonna|'m| am) (?:just )?(?:leave|leaving|gone|out\b(?! of)|walk(?:ing)? (?:out|away)|divorc\w+|moving out|move out|filing|file for divorce|take the kids)"),
    _p("threat", 0.6, rf"(?P<a>i)(?:'ll| will|'m going to|'m) (?:leave|leaving|gone|divorc\w+|walk(?:ing)? (?:out|away)|move out|moving out) (?:if|unless) (?:you|he|she|this|it|things|{NAME})\b"),
    _p("threat", 0.8, r"(?P<b>you)(?:'ll| will|'re going to|'re gonna) (?:be sorry|regret|pay for (?:this|it|that)|never see (?:the|my|your|our|me|them|him|her)\b)"),
    _p("threat", 0.7, r"i(?:'m| am) warning you|(?:last|final) warning|(?:watch|mind) your back|you(?:'d)? better watch (?:yourself|out|it|your)|don't (?:test|push|provoke) me(?=\s*[.,!?]|\s*$)|don't make me (?:hurt|hit|come over|get up|do something)"),
    _p("threat", 0.5, r"or else(?=\s*[.!,]|\s*$)"),
    _p("threat", 0.8, rf"{DOER}{ADVERBS} (?P<k>threatens?|threatened|threatening) (?:to\b|with\b|that\b|(?P<b>me|you|him|her|us|them|{NAME})(?![\w']))"),
    _p("threat", 0.8, rf"(?P<a>he|she|you|{NAME}|{KIN})(?: \w+)? (?:said|says|told me|tells me) (?:that )?(?:he|she|you|they)(?:'d|'ll| would| will|'s going to|'s gonna|'re going to| was going to| were going to| is going to) (?P<k>kill|hurt|hit|leave (?P<b>me)|take the (?:kids|children)|beat|throw (?:me|us)|divorce me|burn|shoot)\b"),
    _p("threat", 0.8, rf"(?P<a>i){WILL} (?P<k>kill|hurt|cut) myself\b"),
    _p("threat", 0.8, rf"(?P<a>he|she|you|{NAME}|{KIN})(?: \w+)? (?:said|says|told me|tells me) (?:that )?(?:he|she|you)(?:'d|'ll| would| will|'s going to| was going to) (?P<k>kill|hurt) (?:himself|herself|yourself)\b"),
)  # fmt: skip

_DOWN = r"(?: (?:down|against|over|around|off the|into (?:the|a)|onto|on the (?:floor|ground|bed)|so hard|really hard|hard|out of the (?:car|house|room)|physically)\b|(?=\s*[.,!?;]|\s*$)| and\b| when\b| because\b| again\b)"
_VIOLENCE = (
    _p("violence", 0.9, rf"{DOER}{ADVERBS} (?P<k>hits?|hitting|slap(?:s|ped|ping)?|punch(?:es|ed|ing)?|chok(?:e|ed|es|ing)|strangl(?:e|es|ed|ing)|smack(?:s|ed|ing)?|spank(?:s|ed|ing)?|stab(?:s|bed)|raped?|rapes|assault(?:s|ed)?|whipped|shak(?:es|ing)|shook|beats? up) {DONE}(?![\w'])(?! (?:with (?:a |the |that|this)(?:question|news|idea|bill|comment|line)|that|how|like a|up(?! with)|later|back (?:with a text|up)|in the face with (?:that|the fact)|off|as))"),
    _p("violence", 0.8, rf"{DOER}{ADVERBS} (?P<k>beats?|beating|beaten) {DONE}(?![\w'])(?! (?:to|at|down (?:with|emotion|mental)|over the head))"),
    _p("violence", 0.75, rf"{DOER}{ADVERBS} (?P<k>push(?:es|ed|ing)?|shov(?:e|es|ed|ing)|threw|throws) {DONE}(?![\w']){_DOWN}(?! (?:my|his|her|your|the) (?:limit|edge|button|boundar))"),
    _p("violence", 0.7, rf"{DOER}{ADVERBS} (?P<k>grab(?:s|bed|bing)?|drag(?:s|ged|ging)?|kick(?:s|ed|ing)?|bit|bites|scratch(?:es|ed)|restrain(?:s|ed)|pinn(?:ed|ing)) {DONE}(?![\w'])(?! (?:a|an|some|out|off|under|into (?:this|therapy|the conversation)|the|to (?:the )?(?:party|dinner|therapy|church|event|see|come|go|these|this)|for|through|along|in to|while i'm down|when i'm down))"),
    _p("violence", 0.75, rf"{DOER}{ADVERBS} (?P<k>grab(?:s|bed|bing)?|twist(?:s|ed)|squeez(?:es|ed)|slap(?:s|ped)|hits?|held|yank(?:s|ed)) (?P<b>my|your|his|her|{NAME}'s) (?:arm|wrist|neck|throat|hair|face|jaw)s?\b"),
    _p("violence", 0.8, rf"(?P<b>i|you|he|she|{NAME}|{KIN})(?: was| got| were|'ve been| have been|'s been| has been| is being| gets?| get)(?: \w+)? (?P<k>hit|slapped|punched|choked|strangled|beaten|beat up|smacked|raped|molested|physically abused|assaulted)(?! (?:with|by (?:a|the|this|that|how|it)))(?: by (?P<a>you|him|her|{NAME}|{KIN}))?"),
    _p("violence", 0.75, rf"{DOER}{ADVERBS} (?P<k>lay|laid|lays|put|puts|putting|raised?|raises) (?:a |his |her |your |my |their )?(?:hand|hands|fist|finger) (?:on|to|at|against) {DONE}(?![\w'])"),
    _p("violence", 0.75, rf"{DOER}{ADVERBS} (?P<k>throws?|threw|throwing|hurls?|hurled) (?!(?:\w+ )?(?:party|shade|words|that|it back|everything)\b)(?:\w+ ){{1,4}}?at (?P<b>me|you|him|her|us|{NAME})(?![\w'])"),
    _p("violence", 0.75, rf"{DOER}{ADVERBS} (?P<k>pulls?|pulled|pulling) (?P<b>my|your|his|her|{NAME}'s|me by (?:the|my)) hair\b"),
    _p("violence", 0.7, rf"(?P<b>i|you|he|she|{NAME}) (?:had|has|have|got) (?:a |two |some )?(?P<k>black eyes?|bruises)(?: \w+){{0,4}} (?:from|by|because of|where) (?P<a>you|him|her|he|she|{NAME})"),
    _p("violence", 0.55, rf"{DOER}{ADVERBS} (?P<k>punch(?:es|ed|ing)?|kick(?:s|ed|ing)?|smash(?:es|ed|ing)?|put his fist) (?:a hole )?(?:in |through )?(?:the|a|my|our) (?:wall|door|phone|window|car|tv|plates?|dishes|furniture|mirror)"),
    _p("violence", 0.75, rf"(?P<a>he|she|you|i|{NAME}|{KIN}){ADVERBS} (?:gets?|got|gotten|getting|became|becomes|turned|been|was|is|'s) (?:a little |a bit |really |very |so )?(?P<k>physical(?:ly)? (?:violent|abusive|aggressive)|violent|physical)(?: with (?P<b>me|you|him|her|{NAME}))?(?=\s*[.,!?;]|\s*$| and\b| when\b| toward| again| once)"),
    _p("violence", 0.75, r"(?:it|things|that|this|we|our fights|the fights?|fights)(?:'s|'ve| has| have| had| would| can| could)?(?: never| ever| even| sometimes| always| actually| not)? (?:gets?|got|gotten|getting|became|turns?|turned|went|goes|been) (?:a little |a bit |really |very |so )?(?P<k>physical|violent|physically (?:violent|abusive))(?=\s*[.,!?;-]|\s*$| and\b| when\b| between| again| once| with)", mutual=True),
    _p("violence", 0.75, r"(?:we|they|you two|you both)(?: \w+){0,2} (?P<k>hit|hitting|slap(?:ped|ping)?|punch(?:ed|ing)?|push(?:ed|ing)|shov(?:ed|ing)|beat(?:ing)?) (?:each|one an?)\s?other\b(?!'s)(?! (?:away|to|buttons))", mutual=True),
    _p("violence", 0.7, r"(?P<k>domestic violence|domestic abuse|physical violence|physical abuse|physical fights?|restraining order)\b", mutual=True),
)  # fmt: skip

SAFETY = (*_FEAR, *_COERCION, *_THREAT, *_VIOLENCE)
