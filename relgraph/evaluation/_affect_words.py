"""English words of feeling and judgement, and the small words that go with them.

A word that ends with `*` stands for its family: every word that begins so. A word that names what
can be seen or heard (smile, cry, sharp, flat, trembling) is not here, though it says a feeling too;
nor is one that means something bodily more often than not (down, cross, moved, kind).
"""

from __future__ import annotations

import re
from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


AFFECT: Mapping[str, str] = {
    "anger": "anger* angr* mad madly fury furious* rage rages raged raging enrag* irate livid* "
    "irritat* irritab* annoy* frustrat* exasperat* aggravat* agitat* hostil* outrag* indigna* "
    "resent* bitter bitterly bitterness hate* hating hatred loath* vengeful* vindictiv* spite* "
    "grudg* grump* petulan* sulk* sullen* impatien* fuming seeth*",
    "contempt": "contempt* disgust* scorn* disdain* despis* repuls* revolt* condescend* "
    "patroniz* patronis* arrogan* haught* smug* superior* sneer* scoff* mock* ridicul* derisi* "
    "sarcas* ironic* irony cynic* disrespect* belittl* insult* humiliat* demean*",
    "fear": "fear* afraid scare scared scares scary frighten* terrif* terror* panic* dread* anxi* "
    "nervous* apprehens* uneas* worr* concern concerned concerns stress* distress* insecur* "
    "overwhelm* desperat* alarm* timid* shy shyly shyness startl* threat* tense tensely tension "
    "horrif* horror petrif*",
    "sadness": "sad sadd* sadly sadness sorrow* grief griev* mourn* melanchol* gloom* somber* "
    "sombre* solemn* miser* depress* despond* deject* disappoint* discourag* defeat* despair* "
    "hopeless* helpless* unhapp* dismay* devastat* lonel* lonesome* isolat* heartbr* heartache "
    "wistful* nostalg* longing longingly yearn* tragic* bereft bleak* morose* glum* dispirit* "
    "disheart* crestfallen",
    "hurt": "hurt hurts hurting hurtful* wounded pain pains pained painful* anguish* agon* "
    "torment* traumat* suffer* betrayed betrayal reject* abandon* neglect* unloved unwanted "
    "vulnerab* fragil* sensitiv* offend*",
    "shame": "asham* shame* embarrass* mortif* guilt* remors* regret* apolog* sorry penit* "
    "sheepish* humble humbl* humility worthless* inadequa* self-conscious* abash* contrit*",
    "tiredness": "tired tiredly tiredness weary wearily weariness exhaust* fatigu* drained "
    "resigned* resignation burdened numb* listless* bored boredom",
    "joy": "joy* happy happi* glad gladly delight* excit* thrill* elat* ecsta* enthus* eager* "
    "proud* pride grateful* gratitude thank* reliev* relief satisf* pleas* contented* "
    "contentment cheer* amus* humor* humour* playful* flirt* jok* teas* merry merrily jovial* "
    "optimis* hope hopes hoped hoping hopeful* triumph* jubil* bliss* fun funny",
    "love": "love* loving* affection* tender* adore* adoring* adoration fond fondly fondness "
    "intima* compassion* empath* sympath* caring caringly care cares cared warm "
    "warmly warmth cherish* devot* passion* romantic*",
    "calm": "calm* peace* seren* tranquil* compose composed composedly composure relax* sooth* "
    "reassur* comfort* discomfort* uncomfort* ease easy eased easily grounded stoic* neutral* "
    "collected unperturb* patien*",
    "surprise": "surpris* astonish* amaz* shock* stun* bewilder* perplex* puzzl* confus* baffl* "
    "incredul* disbelie* dumbfound* intrigu* curious* curiosity interest* fascinat* awe awed",
    "trust": "trust* distrust* mistrust* suspic* skeptic* sceptic* doubt* wary warily wariness "
    "guarded* jealous* envy envious* sure surely unsure certain* uncertain* hesita* tentativ* "
    "relucta* confiden* assur* timor* ambivalen* conflicted indecisi* "
    "fluster* troubled aggriev*",
    "attitude": "defens* defend* defian* defy defies stubborn* obstinat* dismiss* accus* blam* "
    "critic* judg* confront* challeng* combat* provoc* provok* intimidat* menac* aggress* "
    "assertiv* submissiv* complian* cooperat* passive* evasiv* withdrawn detached* detachment "
    "distant* aloof* indifferen* apath* uninterest* disinterest* resist* determin* resolut* "
    "resolv* decisi* convic* adaman* insisten* emphat* intens* ferven* urgen* dramatic* cautio* "
    "careful* careless* firm firmly firmness stern* strict* harsh* blunt* curt curtly cold coldly "
    "coldness cool coolly icy icily gentle gently gentleness kindly kindness sincer* insincer* "
    "genuin* honest* earnest* candid* authentic* respect* polite* impolite* rude* friendl* "
    "unfriendl* cordial* courte* gracious* attentiv* engag* disengag* thoughtful* contemplat* "
    "pensiv* reflective* serious* matter-of-fact* cruel* ruthless* vicious* nasty protectiv* "
    "possessiv* controlling manipulat* conspirator* approv* disapprov* "
    "wry wryly rueful* brusque* gruff* scathing* receptiv* welcoming inviting introspect* casual* "
    "authoritat* condemn* unkind* lightheart* light-heart* businesslike",
    "act": "validat* affirm* encourag* discourag* support supports supporting supportive* agree "
    "agrees agreed agreeing agreement agreeabl* disagree* scold* plead* beg begs begging complain* "
    "complaint* nag nags nagging reproach* rebuk* chastis* prais* compliment* consol* forgiv* "
    "justif* interrogat* undermin* invalidat* understanding* accepting* acceptance* concil* "
    "reconcil* appeas* placat*",
    "worth": "good bad badly nice nicely awful* terribl* horribl* wonderful* great excellent* "
    "perfect* beautiful* beauty ugly lovely pathetic* silly stupid* foolish* absurd* "
    "inappropriat* appropriat* awkward* clums* strange* weird* odd oddly important* unfair* fair "
    "fairly unreasonabl* reasonabl* proper properly improper* impressive* remarkabl* dishonest* "
    "insight* appreciat* positive* negative*",
    "feeling": "emotion* unemotion* feeling feelings mood moods moody moodily sentiment*",
}  # fmt: skip
"""Kind of feeling or judgement -> its words and families."""

MODIFIERS = _words(
    "very so quite slightly somewhat highly deeply deep more most less extremely increasingly "
    "mildly rather too almost clearly visibly obviously evidently genuinely completely totally "
    "utterly fully partly truly really still even just not never no hardly barely bit little "
    "growing apparently seemingly noticeably plainly mounting rising suppressed barely-suppressed "
    "restrained contained"
)
"""Words that say how much of what follows: they go with it."""
CARRIERS = _words(
    "expression expressions look looks tone voice manner way air sense note demeanor demeanour "
    "attitude quality posture body face facial"
)
"""Words that only hold what is said of them: alone they say nothing."""
ARTICLES = _words("a an the his her their its some any such both")
OPENERS = _words("with in of out from through into under without despite for between")
"""Prepositions that go when nothing is left behind them."""
FOLLOWERS = _words(
    "at to toward towards on over about before after while as when because that then by against "
    "upon during if until where who which"
)
"""Words that begin something of their own after a feeling: "irritated at him"."""
LINKS = _words(
    "seem seems seemed seeming appear appears appeared appearing look looks looked looking sound "
    "sounds sounded sounding feel feels felt is are was were be been being become becomes became "
    "becoming grow grows get gets getting got remain remains remaining stay stays staying express "
    "expresses expressed expressing show shows showed showing shown convey conveys conveying "
    "display displays displaying reveal reveals revealing signal signals signaling signalling "
    "betray betrays betraying radiate radiates radiating full filled hint trace tinge edge touch "
    "like to if as"
)
"""Words that say of somebody what follows, and are nothing without it."""
SMALL = (MODIFIERS | ARTICLES | OPENERS | FOLLOWERS | LINKS | CARRIERS) - _words("looks looking")
"""Words that say nothing where they are all that is left; "looks at her" says something."""


def _pattern() -> re.Pattern[str]:
    entries = {word for text in AFFECT.values() for word in text.split()}
    whole = sorted(re.escape(w) for w in entries if not w.endswith("*"))
    family = sorted(re.escape(w[:-1]) for w in entries if w.endswith("*"))
    return re.compile(rf"(?:{'|'.join(whole)}|(?:{'|'.join(family)})\w*)")


_AFFECT = _pattern()


def is_affect(word: str) -> bool:
    """Returns whether a word, or a part of one with hyphens, is of feeling or judgement."""
    plain = word.casefold().replace("\u2019", "'").removesuffix("'s")
    return any(_AFFECT.fullmatch(part) for part in (plain, *plain.split("-")))
