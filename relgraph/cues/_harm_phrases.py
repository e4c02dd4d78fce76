"""How people threaten, and how they tell of violence."""

from __future__ import annotations

from relgraph.cues._phrases import NAME
from relgraph.cues._safety_pattern import ADVERBS, DOER, DONE, IN_CLAUSE, KIN, WILL, pattern

THREAT = (
    pattern(
        "threat",
        0.9,
        rf"(?P<a>i){WILL} (?:fucking |just |really |seriously )?(?P<k>kill|hurt|hit|slap"
        r"|punch|beat|smack|strangle|choke|destroy|ruin|shoot|stab) (?P<b>you|him|her|them"
        rf"|{NAME})(?![\w'])",
    ),
    pattern(
        "threat",
        0.8,
        rf"(?P<a>i){WILL} (?:just |fucking )?(?P<k>leave|divorce|dump) (?P<b>you|him|her"
        rf"|{NAME})(?![\w'])(?! (?:alone|to|a|the|with|my|some|it|be|in|out|off|for a|at|here"
        r"|there))",
    ),
    pattern(
        "threat",
        0.75,
        rf"(?P<a>i){WILL} (?:just )?(?:take (?:the|our|my) (?:kids|children|boys|girls|house"
        rf"|baby)|(?:kick|throw) (?P<b>you|him|her|{NAME}) out|cut (?:you|him|her) off|call "
        r"(?:the police|the cops|social services|immigration) on)\b",
    ),
    pattern(
        "threat",
        0.7,
        rf"(?:if|unless|next time|one more time) (?:you|he|she|{NAME})\b{IN_CLAUSE}{{0,60}}?"
        r"(?P<a>i)(?:'ll| will|'m going to|'m gonna|'m| am) (?:just )?(?:leave|leaving|gone"
        r"|out\b(?! of)|walk(?:ing)? (?:out|away)|divorc\w+|moving out|move out|filing|file"
        r" for divorce|take the kids)",
    ),
    pattern(
        "threat",
        0.6,
        r"(?P<a>i)(?:'ll| will|'m going to|'m) (?:leave|leaving|gone|divorc\w+|walk(?:ing)? "
        r"(?:out|away)|move out|moving out) (?:if|unless) (?:you|he|she|this|it|things"
        rf"|{NAME})\b",
    ),
    pattern(
        "threat",
        0.8,
        r"(?P<b>you)(?:'ll| will|'re going to|'re gonna) (?:be sorry|regret|pay for (?:this"
        r"|it|that))\b",
    ),
    pattern(
        "threat",
        0.8,
        r"(?P<b>you)(?:'ll| will|'re going to|'re gonna) never (?:ever )?see (?:me|us|them|him|her"
        r"|(?:the|my|your|our|these|those) (?:kids|children|boys|girls|son|daughter|baby)) again\b",
        denies=True,
    ),
    pattern(
        "threat",
        0.8,
        rf"(?P<a>i){WILL} make (?P<b>you|him|her|{NAME}) (?P<k>pay|suffer|regret)"
        r"(?! (?:the|for (?:the|a|dinner|lunch)|rent|back)\b)",
    ),
    pattern(
        "threat",
        0.7,
        r"i(?:'m| am) warning you|(?:last|final) warning|(?:watch|mind) your back|you(?:'d)?"
        r" better watch (?:yourself|out|it|your)",
    ),
    pattern(
        "threat",
        0.7,
        r"(?:^|(?<=[.,!?;] )|(?<=and )|(?<=so ))don't (?:(?:test|push|provoke) me(?=\s*[.,!?]|\s*$)"
        r"|make me (?:hurt|hit|come over|get up|do something))",
        denies=True,
    ),
    pattern(
        "threat",
        0.7,
        r"(?:do|say|touch|try|pull) (?:that|this|it|him|her|me)(?: like that)? (?:again|one"
        r" more time)\b[^.?!;\n]{0,10}?\b(?:and|or) (?:i(?:'m|'ll| am| will)|you(?:'ll|"
        r" will)) (?:gone|leav|out|be sorry|regret|kill|hit|done|take|call|never)\w*",
    ),
    pattern(
        "threat",
        0.5,
        r"or else(?=\s*[.!,]|\s*$)",
    ),
    pattern(
        "threat",
        0.8,
        rf"{DOER}{ADVERBS} (?P<k>threatens?|threatened|threatening) (?:to\b|with\b|that\b|"
        rf"(?P<b>me|you|him|her|us|them|{NAME})(?![\w']))",
    ),
    pattern(
        "threat",
        0.8,
        rf"(?P<a>he|she|you|{NAME}|{KIN})(?: \w+)? (?:said|says|told me|tells me) (?:that )?"
        r"(?:he|she|you|they)(?:'d|'ll| would| will|'s going to|'s gonna|'re going to| was"
        r" going to| were going to| is going to) (?P<k>kill|hurt|hit|leave (?P<b>me)|take"
        r" the (?:kids|children)|beat|throw (?:me|us)|divorce me|burn|shoot)\b",
    ),
    pattern(
        "threat",
        0.8,
        rf"(?P<a>i){WILL} (?P<k>kill|hurt|cut) myself\b",
    ),
    pattern(
        "threat",
        0.8,
        rf"(?P<a>he|she|you|{NAME}|{KIN})(?: \w+)? (?:said|says|told me|tells me) (?:that )?"
        r"(?:he|she|you)(?:'d|'ll| would| will|'s going to| was going to) (?P<k>kill|hurt) "
        r"(?:himself|herself|yourself)\b",
    ),
)

_DOWN = (
    r"(?: (?:down|against|over|around|off the|into (?:the|a)|onto|on the (?:floor|ground"
    r"|bed)|so hard|really hard|hard|out of the (?:car|house|room)|physically)\b|"
    r"(?=\s*[.,!?;]|\s*$)| and\b| when\b| because\b| again\b)"
)
VIOLENCE = (
    pattern(
        "violence",
        0.9,
        rf"{DOER}{ADVERBS} (?P<k>hits?|hitting|slap(?:s|ped|ping)?|punch(?:es|ed|ing)?|chok"
        r"(?:e|ed|es|ing)|strangl(?:e|es|ed|ing)|smack(?:s|ed|ing)?|spank(?:s|ed|ing)?|stab"
        r"(?:s|bed)|raped?|rapes|assault(?:s|ed)?|whipped|shak(?:es|ing)|shook|beats? up)"
        rf" {DONE}(?![\w'])(?! (?:with (?:a |the |that|this)(?:question|news|idea|bill"
        r"|comment|line)|that|how|like a|up(?! with)|later|back (?:with a text|up)|in the"
        r" face with (?:that|the fact)|off|as))",
    ),
    pattern(
        "violence",
        0.8,
        rf"{DOER}{ADVERBS} (?P<k>beats?|beating|beaten) {DONE}(?![\w'])(?! (?:to|at|down "
        r"(?:with|emotion|mental)|over the head))",
    ),
    pattern(
        "violence",
        0.75,
        rf"{DOER}{ADVERBS} (?P<k>push(?:es|ed|ing)?|shov(?:e|es|ed|ing)|threw|throws) {DONE}"
        rf"(?![\w']){_DOWN}(?! (?:my|his|her|your|the) (?:limit|edge|button|boundar))",
    ),
    pattern(
        "violence",
        0.7,
        rf"{DOER}{ADVERBS} (?P<k>grab(?:s|bed|bing)?|drag(?:s|ged|ging)?|kick(?:s|ed|ing)?"
        rf"|bit|bites|scratch(?:es|ed)|restrain(?:s|ed)|pinn(?:ed|ing)) {DONE}(?![\w'])(?! "
        r"(?:a|an|some|out|off|under|into (?:this|therapy|the conversation)|the|to (?:the )?"
        r"(?:party|dinner|therapy|church|event|see|come|go|these|this)|for|through|along|in"
        r" to|while i'm down|when i'm down))",
    ),
    pattern(
        "violence",
        0.75,
        rf"{DOER}{ADVERBS} (?P<k>grab(?:s|bed|bing)?|twist(?:s|ed)|squeez(?:es|ed)|slap(?:s"
        rf"|ped)|hits?|held|yank(?:s|ed)) (?P<b>my|your|his|her|{NAME}'s) (?:arm|wrist|neck"
        r"|throat|hair|face|jaw)s?\b",
    ),
    pattern(
        "violence",
        0.8,
        rf"(?P<b>i|you|he|she|{NAME}|{KIN})(?: was| got| were|'ve been| have been|'s been|"
        r" has been| is being| gets?| get)(?: \w+)? (?P<k>hit|slapped|punched|choked"
        r"|strangled|beaten|beat up|smacked|raped|molested|physically abused|assaulted)(?! "
        rf"(?:with|by (?:a|the|this|that|how|it)))(?: by (?P<a>you|him|her|{NAME}|{KIN}))?",
    ),
    pattern(
        "violence",
        0.75,
        rf"{DOER}{ADVERBS} (?P<k>lay|laid|lays|put|puts|putting|raised?|raises) (?:a |his "
        rf"|her |your |my |their )?(?:hand|hands|fist|finger) (?:on|to|at|against) {DONE}"
        r"(?![\w'])",
    ),
    pattern(
        "violence",
        0.75,
        rf"{DOER}{ADVERBS} (?P<k>throws?|threw|throwing|hurls?|hurled) (?!(?:\w+ )?(?:party"
        rf"|shade|words|that|it back|everything)\b)(?:\w+ ){{1,4}}?at (?P<b>me|you|him|her|us"
        rf"|{NAME})(?![\w'])",
    ),
    pattern(
        "violence",
        0.85,
        rf"{DOER}{ADVERBS} (?P<k>put|puts|had|has|wraps?|wrapped) (?:his|her|your|my|both)"
        rf" hands? (?:around|on|round) (?P<b>my|your|his|her|{NAME}'s) (?:throat|neck)\b",
    ),
    pattern(
        "violence",
        0.85,
        rf"{DOER}{ADVERBS} (?P<k>breaks?|broke|broken|fractured|dislocated|bruised) "
        rf"(?P<b>my|your|his|her|{NAME}'s) (?:arm|nose|jaw|ribs?|wrist|finger|leg|collarbone|tooth"
        r"|teeth|eye|shoulder)\b",
    ),
    pattern(
        "violence",
        0.75,
        rf"{DOER}{ADVERBS} (?P<k>spits?|spat|spitting) (?:at|on|in) {DONE}(?![\w'])",
    ),
    pattern(
        "violence",
        0.8,
        rf"{DOER}{ADVERBS} (?P<k>hurts?|hurting) {DONE} physically\b",
    ),
    pattern(
        "violence",
        0.75,
        rf"{DOER}{ADVERBS} (?P<k>pulls?|pulled|pulling) (?P<b>my|your|his|her|{NAME}'s|me by "
        r"(?:the|my)) hair\b",
    ),
    pattern(
        "violence",
        0.7,
        rf"(?P<b>i|you|he|she|{NAME}) (?:had|has|have|got) (?:a |two |some )?(?P<k>black"
        rf" eyes?|bruises)(?: \w+){{0,4}} (?:from|by|because of|where) (?P<a>you|him|her|he"
        rf"|she|{NAME})",
    ),
    pattern(
        "violence",
        0.55,
        rf"{DOER}{ADVERBS} (?P<k>punch(?:es|ed|ing)?|kick(?:s|ed|ing)?|smash(?:es|ed|ing)?"
        r"|put his fist) (?:a hole )?(?:in |through )?(?:the|a|my|our) (?:wall|door|phone"
        r"|window|car|tv|plates?|dishes|furniture|mirror)",
    ),
    pattern(
        "violence",
        0.75,
        rf"(?P<a>he|she|you|i|{NAME}|{KIN}){ADVERBS} (?:gets?|got|gotten|getting|became"
        r"|becomes|turned|been|was|is|'s) (?:a little |a bit |really |very |so )?"
        r"(?P<k>physical(?:ly)? (?:violent|abusive|aggressive)|violent|physical)(?: with "
        rf"(?P<b>me|you|him|her|{NAME}))?(?=\s*[.,!?;]|\s*$| and\b| when\b| toward| again|"
        r" once)",
    ),
    pattern(
        "violence",
        0.75,
        r"(?:it|things|that|this|we|our fights|the fights?|fights)(?:'s|'ve| has| have| had|"
        r" would| can| could)?(?: never| ever| even| sometimes| always| actually| not)? "
        r"(?:gets?|got|gotten|getting|became|turns?|turned|went|goes|been) (?:a little |a"
        r" bit |really |very |so )?(?P<k>physical|violent|physically (?:violent|abusive))"
        r"(?=\s*[.,!?;-]|\s*$| and\b| when\b| between| again| once| with)",
        mutual=True,
    ),
    pattern(
        "violence",
        0.75,
        r"(?:we|they|you two|you both)(?: \w+){0,2} (?P<k>hit|hitting|slap(?:ped|ping)?"
        r"|punch(?:ed|ing)?|push(?:ed|ing)|shov(?:ed|ing)|beat(?:ing)?) (?:each|one"
        r" an?)\s?other\b(?!'s)(?! (?:away|to|buttons))",
        mutual=True,
    ),
    pattern(
        "violence",
        0.7,
        r"(?P<k>domestic violence|domestic abuse|physical violence|physical abuse|physical"
        r" fights?|restraining order)\b",
        mutual=True,
    ),
)
