"""How people speak of being afraid of somebody, and of being controlled."""

from __future__ import annotations

from relgraph.cues._phrases import NAME
from relgraph.cues._safety_pattern import (
    ADVERBS,
    AFRAID,
    DOER,
    DONE,
    HARMS,
    IN_CLAUSE,
    KIN,
    LINK,
    OTHER,
    WHO_ELSE,
    pattern,
)

FEAR = (
    pattern(
        "fear_of",
        0.9,
        rf"{DOER}{LINK} {AFRAID} (?:to death )?(?:of|by) {OTHER}(?![\w'])"
        r"(?! (?:leav|los|dy|be|not|go|find|think|get|forget|mov|giv|do(?!ing s)|hav|los"
        r"|walk|want|com(?!ing (?:home|after))|becom|tak|say|meet|mak|judg|reject|abandon"
        r"|cheat|chang|fail|lik|see|feel|with)\w*)",
    ),
    pattern(
        "fear_of",
        0.8,
        rf"{DOER}{LINK} {AFRAID} of (?:what|how) {WHO_ELSE}(?:'ll|'d| will| would| might|"
        r" could| can| may| gets?)\b",
    ),
    pattern(
        "fear_of",
        0.8,
        rf"{DOER}{LINK} {AFRAID} of (?P<b>your|his|her|their|{NAME}'s) (?:temper|anger|rage"
        r"|reaction|moods?|outbursts?|yelling|violence|hands|fists|drinking)\b",
    ),
    pattern(
        "fear_of",
        0.85,
        rf"{DOER}{LINK} {AFRAID} (?:that )?{WHO_ELSE}(?:'ll|'d| will| would| might| could|'s"
        r" going to|'re going to| is going to| are going to|'s gonna|'re gonna) (?:just "
        rf"|really |actually )?{HARMS}\b",
    ),
    pattern(
        "fear_of",
        0.65,
        rf"{DOER}{LINK} {AFRAID} to (?:even |ever )?(?:tell|talk to|speak to|speak up (?:to"
        r"|with)|ask|disagree with|be alone with|be around|be near|go home to|come home to"
        r"|upset|contradict|say (?:no|anything|things|something) to|sleep next to|be with"
        rf"|confront|leave) {OTHER}(?![\w'])(?! (?:the truth|that i love))",
    ),
    pattern(
        "fear_of",
        0.6,
        rf"{DOER}{LINK} {AFRAID} to (?:go home|come home|be alone at home|be in the house"
        r"|sleep at night|say no|open my mouth)\b",
    ),
    pattern(
        "fear_of",
        0.75,
        rf"{DOER}{LINK} {AFRAID} (?:when|whenever|if) {WHO_ELSE}(?: \w+)? (?:gets?|yells?"
        r"|screams?|drinks?|comes? home|loses?|raises?|starts?|shouts?|throws?|looks?)\b",
    ),
    pattern(
        "fear_of",
        0.7,
        rf"(?:when|whenever) {WHO_ELSE}(?: \w+)? (?:gets?|get so|yells?|screams?|drinks?"
        rf"|comes? home|loses?|raises?|shouts?|throws?){IN_CLAUSE}{{0,40}}?,? (?P<a>i)(?: get"
        rf"| am|'m| feel| was)(?: \w+)? {AFRAID}\b",
    ),
    pattern(
        "fear_of",
        0.75,
        rf"(?P<b>you|he|she|they|{NAME}|{KIN})(?: really| just| always| can| does| actually|"
        r" kind of| often|'s| have|'ve|,? like,?| did not| didn't| doesn't| don't|"
        rf" never){{0,3}} (?P<k>scares?|scared|scaring|frightens?|frightened|terrif(?:y|ies"
        rf"|ied)|intimidates?|intimidated) (?P<a>me|us|him|her|{NAME})(?![\w'])(?! with)",
    ),
    pattern(
        "fear_of",
        0.7,
        rf"(?P<a>i) (?P<k>fear) (?P<b>you|him|her|{NAME})(?=\s*[.,!?;]|\s*$| when\b)",
    ),
    pattern(
        "fear_of",
        0.7,
        rf"(?P<a>i)(?: always| still)? (?P<k>flinch|cower|freeze)(?: up)? (?:when|whenever) "
        rf"{WHO_ELSE}(?: just)? (?:raises?|comes?|gets?|shouts?|yells?|moves?|lifts?)\b",
    ),
    pattern(
        "fear_of",
        0.5,
        rf"(?P<a>i|we|you|he|she|{NAME}|everyone){IN_CLAUSE}{{0,30}}?\b(?P<k>walk|walking"
        r"|walks|tiptoe|tiptoeing) (?:on|around) (?:eggshells|egg shells)(?: (?:around|with"
        rf"|near) (?P<b>you|him|her|{NAME}))?",
    ),
    pattern(
        "fear_of",
        0.75,
        rf"(?P<a>i|she|he|{NAME}) (?:don't|do not|didn't|doesn't|never|can't|did not|does"
        r" not)(?: \w+)? feel (?:physically )?safe (?:with|around|near|next to|alone with"
        rf"|living with) (?P<b>you|him|her|{NAME}|{KIN})",
        denies=True,
    ),
    pattern(
        "fear_of",
        0.75,
        r"(?P<a>i|she|he) (?:don't|do not|didn't|doesn't|never|can't)(?: \w+)? feel "
        r"(?:physically )?safe (?:at home|in (?:my|our|the|this) (?:own )?(?:home|house"
        r"|bed))",
        denies=True,
    ),
    pattern(
        "fear_of",
        0.5,
        r"(?P<a>i) (?:don't|do not|didn't|never|can't)(?: \w+)? feel (?:physically )?safe\b"
        r"(?! (?:to|enough|telling|sharing|opening|saying|being|talking|with|around|near|at"
        r"|in))",
        denies=True,
    ),
    pattern(
        "fear_of",
        0.7,
        rf"(?P<a>i|she|he|{NAME})(?: \w+)? feels? (?:very |really |so )?unsafe (?:with|around"
        rf"|near) (?P<b>you|him|her|{NAME})",
    ),
    pattern(
        "fear_of",
        0.7,
        rf"(?P<a>i)(?: \w+)? (?:hide|hid|lock(?:ed)? myself)\b{IN_CLAUSE}{{0,25}}?(?:from"
        rf"|when|whenever|because) (?P<b>you|he|she|him|her|{NAME})\b(?! (?:the|my|that))",
    ),
)

COERCION = (
    pattern(
        "coercion",
        0.7,
        rf"{DOER} (?:won't|doesn't|don't|wouldn't|didn't|never|would never|will not|does not"
        rf"|did not)(?: even| ever| really)? (?P<k>lets?|allows?|allowed) {DONE} (?:to )?"
        r"(?:leave|see (?:my|any|other|his|her|your|people)|go(?! of| on)|work|drive|spend"
        r"|use|visit|call|wear|eat|sleep|have (?:any |my (?:own )?|a |the )?(?:money|friends"
        r"|phone|access|job|keys|bank|card|car)|out\b|talk to (?:my|other|any)|buy|meet)",
        denies=True,
        rule_of_parents=True,
    ),
    pattern(
        "coercion",
        0.6,
        rf"(?P<b>i|she|he|{NAME})(?:'m| am|'s| is| was) (?:not|never) (?P<k>allowed) to "
        r"(?:see|go|leave|talk to|spend|work|drive|use|call|wear|visit|have (?:any |my "
        r"(?:own )?|a )?(?:money|friends|phone|job|card))",
        denies=True,
        rule_of_parents=True,
    ),
    pattern(
        "coercion",
        0.8,
        rf"{DOER}{ADVERBS} (?P<k>forbids?|forbade|forbidden|prohibits?|prohibited) {DONE}\b",
    ),
    pattern(
        "coercion",
        0.65,
        rf"{DOER}{ADVERBS} (?P<k>check|checks|checked|checking|keeps|goes through|go through"
        r"|went through|going through|reads?|track|tracks|tracked|tracking|monitors?"
        r"|monitored|monitoring|takes?|took|hides?|hid|controls?|controlled) (?:all )?"
        rf"(?P<b>my|her|his|your|{NAME}'s) (?:\w+ )?(?:phone|messages|texts|emails?|location"
        r"|keys|money|bank|cards?|passport|finances|every move|mileage)\b",
        rule_of_parents=True,
    ),
    pattern(
        "coercion",
        0.6,
        rf"(?P<a>you|he|she|{NAME}){ADVERBS} (?P<k>controls?|controlled) (?:all (?:of )?)?"
        r"(?:the|our) (?:\w+ )?(?:money|accounts?|finances)\b(?! together)",
        rule_of_parents=True,
    ),
    pattern(
        "coercion",
        0.7,
        rf"(?P<a>you|he|she|they|{NAME}|{KIN}){ADVERBS} (?P<k>controls?|controlled|isolates?"
        rf"|isolated|stalks?|stalked|imprison\w*) {DONE}(?![\w'])",
    ),
    pattern(
        "coercion",
        0.7,
        rf"{DOER}{ADVERBS} (?P<k>forces?|forced|forcing|coerced?|coerces|blackmail\w*) {DONE}"
        r" (?:to|into)\b(?! (?:think|confront|look|face|realiz|see|grow|be honest|be better"
        r"|consider|talk))",
    ),
    pattern(
        "coercion",
        0.8,
        rf"{DOER}{ADVERBS} (?P<k>force[sd]?) (?:himself|herself|yourself|myself) on {DONE}\b",
    ),
    pattern(
        "coercion",
        0.8,
        rf"{DOER}{ADVERBS} (?P<k>locks?|locked|locking) {DONE} (?:in|out|up|inside|outside)\b",
    ),
    pattern(
        "coercion",
        0.7,
        rf"{DOER}{ADVERBS} (?P<k>follows?|followed|following) {DONE} (?:around|everywhere|to"
        r" work|home|in (?:his|her|the) car)\b(?! (?:the|like))",
    ),
    pattern(
        "coercion",
        0.8,
        rf"{DOER}{ADVERBS} (?P<k>cuts?|keeps?|kept|cutting|keeping) {DONE} (?:off from|away"
        r" from|from seeing) (?:my|his|her|your|all|everyone|friends|other)\b",
    ),
    pattern(
        "coercion",
        0.5,
        r"(?P<b>i)(?: always| even| still)? (?:have to|need to|had to|must) (?:ask|get) (?:"
        rf"(?P<a>you|him|her|his|your|{NAME}|{NAME}'s) )?(?:for )?(?P<k>permission)\b",
        rule_of_parents=True,
    ),
)
