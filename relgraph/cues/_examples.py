"""Invented examples of each cue, and the works that its definition leans on.

A colon in an example parts who speaks from what is said, a slash two turns that follow each other.
"""

SPAFF = "Coan & Gottman 2007"
DEMAND = "Christensen & Heavey 1990"
HOME = "Papp et al. 2009"
DIVORCE = "Gottman 1994"
NEWLYWED = "Gottman et al. 1998"
BIDS = "Gottman & Driver 2005"
EFT = "Greenman & Johnson 2013"
SOFTENING = "Bradley & Furrow 2004"
VALIDATING = "Fruzzetti & Worrall 2010"
WE = "Seider et al. 2009"
TURNS = "Sacks et al. 1974"
GAPS = "Stivers et al. 2009"
SPLIT = "Muniz de la Pena et al. 2009"
SOFTA = "Friedlander et al. 2006"
MILAN = "Selvini Palazzoli et al. 1980"
STRUCTURAL = "Minuchin & Fishman 1981"
BOWEN = "Bowen 1978"
ENACTMENT = "Butler & Gardner 2003"
SCREENING = "Bograd & Mederos 1999"

EXAMPLES: dict[str, tuple[str, ...]] = {
    "blame": ("It's your fault that we were late.", "He's the one who walked out."),
    "criticism": ("You never think ahead.", "She's always on that phone."),
    "contempt": ("Oh, brilliant. Another plan from the genius.", "You're pathetic."),
    "belligerence": ("Go on then, leave. See how far you get.", "So what are you going to do?"),
    "domineering": ("You will sit down and listen.", "Let me tell you how this works."),
    "defence": ("I didn't mean it that way.", "I only did it because nobody else would."),
    "counterattack": ("Ana: You forgot again. / Ben: And who forgot the rent?",),
    "minimising": ("It's not a big deal.", "It was one drink."),
    "demand": ("You have to stop this.", "I need you to answer me now."),
    "request": ("Could you call me when you're late?", "I'd like us to eat together."),
    "disclosure": ("I've been lying awake for weeks.", "I need some time in the evening."),
    "softening": ("I get scared that you'll leave me.", "I miss you when you're quiet."),
    "apology": ("I'm sorry I shouted.", "That was my mistake."),
    "repair_bid": ("Can we start over?", "Let me try to say that again."),
    "accepting_influence": ("You're right, I'll do it your way.", "Okay, I can try that."),
    "validation": ("It makes sense that you were angry.", "I'd be hurt too."),
    "acknowledgement": ("Yes, I see.", "Right, I heard that."),
    "reassurance": ("I'm not going anywhere.", "We'll be all right."),
    "affection": ("I love you.", "You're so good with her, honey."),
    "interest": ("What was that like for you?", "Tell me more."),
    "humour": ("I'm just kidding.",),
    "we_framing": ("We've both let this slide.", "That's something for the two of us."),
    "problem_solving": ("What if we take turns on weekends?", "We could ask your sister."),
    "reflection": ("I think I shut down because my father shouted.", "Maybe I push too hard."),
    "recollection": ("Last summer we drove to the lake.", "When I was ten, she moved out."),
    "speaks_for": ("Ana, with Ben there: He thinks I'm too strict.", "You're angry with me."),
    "third_person": ("Ana to the supporter, with Ben there: He came home at ten.",),
    "triangulation": ("Tell him he's wrong.", "You heard her. You see what I mean?"),
    "sides_with": ("Ben is right about this.", "I'm with Ben on that."),
    "tension": ("I, I just... I don't... never mind.", "It's, um, it's the..."),
    "question": ("Did you pay the rent?",),
    "question_pressed": ("Ana: Did you pay? / Ben: It's late. / Ana: Did you pay it or not?",),
    "short_answer": ("Ana: How was your day? / Ben: Fine.",),
    "topic_shift": ("Ana: Will you come with us? / Ben: The car needs new tyres.",),
    "refusal": ("I don't want to talk about it.", "I'm done.", "Leave it."),
    "no_reply": ("Ana to Ben: Are you coming? / the supporter: Ana, what happens in you now?",),
    "silence": ("Ana: Are you coming? / five seconds, then Ben: Maybe.",),
    "interruption": ("Ana: I only wanted to / Ben: No, you wanted a fight.",),
    "overlap": ("Ben begins while Ana is still speaking.",),
    "emotion": ("I was so angry. (anger)", "I feel alone in this. (loneliness)"),
    "primary_emotion": ("I'm scared of losing her.", "That hurt me."),
    "secondary_emotion": ("I'm so fed up with this!", "I don't care any more."),
    "fear_of": ("I'm afraid of what he'll do when we get home.",),
    "coercion": ("He checks my phone and keeps my card.", "I'm not allowed to see my sister."),
    "threat": ("If you tell her, you'll be sorry.", "Do that again and I'm gone."),
    "violence": ("He pushed me against the wall.", "I hit her once."),
    "open_question": ("What happens in you when he goes quiet?",),
    "circular_question": ("Ida, what does your father do when your mother cries?",),
    "enactment_instruction": ("Can you turn to her and tell her that?",),
    "evocative_reflection": ("So beneath the anger there's something lonely.",),
    "cycle_naming": ("The more you ask, the more he goes quiet, and then you ask louder.",),
    "reframing": ("Maybe the shouting is how you hold on to each other.",),
    "escalation_stop": ("Hold on, let's slow this down.",),
    "boundary_setting": ("That's for the two of you to decide, not for Ida.",),
    "alliance": ("We're here to find a way that works for all of you.",),
    "topic": ("The rent is due. (money)", "Your mother called again. (extended_family)"),
}  # fmt: skip

SOURCES: dict[str, tuple[str, ...]] = {
    "blame": (HOME,),
    "criticism": (DIVORCE,),
    "contempt": (SPAFF, DIVORCE),
    "belligerence": (SPAFF,),
    "domineering": (SPAFF,),
    "defence": (SPAFF, DIVORCE),
    "demand": (DEMAND, HOME),
    "disclosure": (VALIDATING,),
    "softening": (SOFTENING,),
    "repair_bid": (DIVORCE, NEWLYWED),
    "accepting_influence": (NEWLYWED,),
    "validation": (SPAFF, VALIDATING),
    "affection": (SPAFF, NEWLYWED),
    "interest": (SPAFF, BIDS),
    "humour": (SPAFF, BIDS),
    "we_framing": (WE,),
    "triangulation": (BOWEN,),
    "sides_with": (SPLIT,),
    "tension": (SPAFF,),
    "question": (TURNS,),
    "question_pressed": (DEMAND,),
    "short_answer": (DEMAND, TURNS),
    "topic_shift": (DEMAND,),
    "refusal": (DEMAND, DIVORCE),
    "no_reply": (TURNS,),
    "silence": (GAPS,),
    "interruption": (TURNS,),
    "overlap": (TURNS, GAPS),
    "primary_emotion": (EFT,),
    "secondary_emotion": (EFT,),
    "fear_of": (SCREENING,),
    "coercion": (SCREENING,),
    "threat": (SCREENING,),
    "violence": (SCREENING,),
    "circular_question": (MILAN,),
    "enactment_instruction": (STRUCTURAL, ENACTMENT),
    "evocative_reflection": (SOFTENING, EFT),
    "cycle_naming": (EFT,),
    "reframing": (STRUCTURAL, EFT),
    "boundary_setting": (STRUCTURAL,),
    "alliance": (SOFTA,),
}
