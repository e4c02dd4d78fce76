"""Phrases of a supporter's acts."""

from __future__ import annotations

import re

from relgraph.cues._lexicon import Phrases
from relgraph.cues._phrases import NAME

OPEN = Phrases(
    """
    # open_question
    0.8 tell me/us more
    0.8 tell me/us about
    0.8 tell me/us what/how
    0.8 say more
    0.8 say a_little/a_bit/some more
    0.8 help me/us understand
    0.7 what/how about you
    0.8 i'm/i_am curious
    0.8 i/i'd wonder/like/love/want to? hear/know/understand what/how/more
    0.6 where are you with/in/right?
    """
)
CIRCULAR = Phrases(
    """
    # circular_question
    0.9 what do/did you think/imagine/suppose he/she/alex/they is/was/are/were feeling/thinking
    0.9 what do/did you think/imagine/suppose he/she/alex/they feels/thinks/wants/needs/felt/thought
    0.9 what do/did you think/imagine/suppose he/she/alex/they would/might/will say/feel/think/do
    0.9 what do/did you think/imagine/suppose your/his/her * would/might/thinks/feels/is/was
    0.9 how do/did you think/imagine/suppose he/she/alex/they feels/felt/would/will/is/was/sees
    0.9 how do/did you think/imagine/suppose your/his/her * feels/felt/would/sees/is/was
    0.8 why do/did you think/suppose he/she/alex/they
    0.8 what do you think it/that is/was/'s like for
    0.8 what do you think/see happens/happening/is to/for/with/in him/her/alex/them
    0.8 what would he/she/alex/they say
    0.8 what would your * say
    0.8 how would he/she/alex/they answer/describe/feel/react/respond
    0.8 if i asked/ask him/her/alex/them/your
    0.8 what happens to/with/for/in him/her/alex when
    0.8 what does he/she/alex do/feel/say/think when
    0.8 who worries/notices/agrees/suffers/gets/cares/is the? most/first/more
    0.8 how does he/she/alex react/respond/show/see
    0.8 what do you see in/on his/her/alex
    0.8 do you know what/how he/she/alex feels/felt/thinks/wants/is
    0.7 do you think he/she/alex/they knows/feels/sees/understands/wants/is
    """
)
ENACT = Phrases(
    """
    # enactment_instruction
    0.9 can/could/would/will you just? tell/ask/show/answer him/her/alex/them
    0.9 can/could/would/will you just? say/explain that/it/this to him/her/alex/them
    0.9 can/could/would/will you just? turn/speak/talk to/towards/toward him/her/alex/each
    0.9 can/could/would/will you just? look/reach at/out to? him/her/alex/each
    0.9 i'd/i_would/i want/like you to tell/ask/show/look/turn/speak/talk to/at? him/her/alex/each
    0.9 i'd/i_would/i want/like you to say
    0.8 try to? telling/asking/saying
    0.8 turn to him/her/alex/your/each
    0.9 say/tell that/it/this to him/her/alex/each directly/now?
    0.9 talk/speak to each other
    0.9 talk/speak to him/her/alex/them directly
    0.9 ask/tell him/her/alex/them directly
    0.9 ask/tell him/her/alex/them yourself
    0.8 talk/speak to him/her/alex not? to? me $
    0.8 don't tell me
    0.8 tell each other
    0.8 say that again to
    0.8 look at him/her/alex/each
    0.7 go ahead and tell/ask/say
    0.9 why don't you just? tell/ask/say/explain/show/try_saying/try_telling/try_asking
    0.8 what would/do you want/like? to? say/tell to? him/her/alex
    0.8 what are you trying/you're_trying to say to him/her/alex
    0.7 can/could/will/would you just? respond/answer to? that/this/him/her/alex
    0.7 can/could/will/would you just? say that/it/this
    0.7 maybe you can/could ask/tell/say
    0.8 say something to him/her/alex
    0.7 what did you just? hear him/her/alex say
    0.8 will/would you tell/ask your
    """
)
ENACT_FIRST = Phrases(
    """
    # enactment_instruction
    0.8 tell him/her/alex/them
    0.8 ask him/her/alex/them
    0.8 tell/ask your wife/husband/partner/mom/mum/mother/dad/father/son/daughter/brother/sister
    0.7 say it/that
    0.7 you respond to/that
    0.7 answer/show/give him/her/alex
    0.7 respond to that/him/her/alex
    """
)
BENEATH = Phrases(
    """
    # evocative_reflection
    0.9 underneath/beneath that/the/this/all/your/it
    0.8 deep down
    0.8 deep inside
    0.8 inside you/of
    0.8 a_part/part of you
    0.7 what i/i'm hear/hearing is/you
    0.7 i hear/sense/see/imagine how/that? much/painful/hard/alone/hurt
    0.7 i hear/sense/see/imagine how/that? scared/sad/lonely/pain/fear
    0.8 it/that/this hurts/hurt so/you/too?
    0.8 it's/it_is/that's/must/so so? painful/lonely/scary/frightening
    0.8 it must be/feel/have_been
    0.7 that must be/feel/have_been
    0.8 what happens/comes/is inside
    0.8 this/that place of/where
    0.8 longing for
    0.8 you long/longed/yearn for/to
    0.7 you're/you_are fighting for
    0.8 you don't feel loved/wanted/seen/heard/safe/enough/important/valued
    """
)
CYCLE = Phrases(
    """
    # cycle_naming
    0.9 the/this/your/that/a negative/same/vicious/old? cycle/dance/loop
    0.8 the/this/your/that/a same/old? pattern/dynamic/spiral
    0.9 the more he/she/you/alex ... the more
    0.9 when he/she/you/alex ... then you/he/she/alex
    0.8 he/she/you/alex withdraws/withdraw/retreats/retreat ... and/then you/he/she/alex
    0.8 he/she/you/alex shuts/shut/pulls/pull ... and/then you/he/she/alex
    0.8 you/he/she/alex pursue/pursues/chase/chases ... and/then he/she/you/alex
    0.8 you/he/she/alex push/pushes/criticize/criticizes ... and/then he/she/you/alex
    0.8 back and forth between
    0.8 this is what happens
    0.8 what happens between you/the_two_of_you/them
    0.8 what you do to/with/for each other
    0.7 each of you
    0.7 both of you are/feel/do/get
    0.8 you both end/get/feel/go
    0.8 feeds/triggers/sets him/her/the_other/each/you/your
    0.8 round and round
    0.8 you two get/are caught/stuck
    0.8 the two of you get/are caught/stuck
    """
)
REFRAME = Phrases(
    """
    # reframing
    0.8 another way of/to look/looking/see/seeing/think/thinking/say
    0.8 a different way of/to look/looking/see/seeing/think/thinking
    0.7 it's/it_is not that * ... it's/it_is/but
    0.7 it's/it_is not about ... it's/it_is/but
    0.8 it's/it_is less/not/not_so_much about ... as/than/more
    0.8 maybe/perhaps he's/she's/you're/it's trying/protecting/afraid/scared/because
    0.8 you're/he's/she's/alex_is trying to protect/reach/connect/keep/help/say
    0.8 a way of/to protecting/protect/reaching/reach/saying/say
    0.8 a way of/to showing/show/trying/keeping/connect
    0.7 his/her/your/that way of/to protecting/showing/saying/loving/caring/coping
    0.8 because you/he/she/alex/they care/cares/love/loves/loved/wants so? much?
    0.8 because he/she/alex/you is/are/'s/'re so? afraid/scared/hurt/lonely
    0.8 the other side of
    0.7 what if it's/it_is/that's/this not/actually/really
    0.7 what if you/he/she/alex actually/really/could
    0.8 i/i'd see/would it/this/that differently/as/call
    0.7 what looks like
    0.6 what i hear/heard is he/she/alex/you
    0.5 it's/it_is almost? like you/he/she/you're
    0.5 it's/it_is not only/just
    0.5 he's/she's/alex_is/you're not * you ... he's/she's/alex_is
    0.5 so you're/you_are trying
    0.5 maybe/perhaps you're/you_are/he's/she's/alex_is
    0.7 maybe/perhaps the * is how/a/your/his/her
    0.7 maybe/perhaps that's/that_is how you/he/she/they/alex
    0.5 might be a way/his/her/your
    0.4 which means
    0.7 sounds/looks like anger/criticism/rejection/attack/distance but
    0.7 in a way ... protect/protecting/trying/love
    """
)
STOP = Phrases(
    """
    # escalation_stop
    0.9 hold/hang on
    0.8 wait wait
    0.7 ^ wait $
    0.8 wait a minute/second/sec/moment
    0.9 slow it/this/things/us? down
    0.9 let's/let_us/can_we/i_want_to/i'm_going_to slow
    0.8 time out
    0.8 one at a time
    0.9 let him/her/alex finish
    0.8 let him/her/alex speak/talk/answer/respond
    0.9 let me/i'm_going_to/i_want_to/can_i stop/pause/interrupt/hold you/us/this/here?/for?
    0.8 i'm/i_am going_to/gonna stop/interrupt/pause/slow
    0.8 let's stop/pause/take a? breath/break/here/there/for?
    0.8 take a breath
    0.8 ^ stop $
    0.8 stop stop
    0.7 just a minute/second/moment
    0.7 don't interrupt
    0.8 no no no
    """
)
BOUNDARY = Phrases(
    """
    # boundary_setting
    0.9 that's/that_is/this_is/it's between you/the/your/mom/mum/them
    0.9 he's/she's/they're/you're/he_is/she_is/alex_is/you_are the/a/only/still? child/kid/children
    0.8 you're/you_are the parent/parents/mother/father/mom/mum/dad/adult/adults/grown-up
    0.9 not his/her/your/their/alex's job/responsibility/role/burden to?
    0.8 shouldn't have to
    0.8 should not have to
    0.9 who/who's/who_is decides/in_charge/the_boss/makes_the_decisions/makes_the_rules
    0.9 put/puts/putting/caught/stuck/be/being in the middle
    0.9 for you two/both to decide
    0.9 for the two of you to decide
    0.9 let him/her/alex speak/answer for himself/herself
    0.9 speak/answer/talk for yourself
    0.8 you're/you_are speaking/talking/answering for
    0.8 stays/stay between you/the
    0.8 leave/keep him/her/alex/the_kids/the_children/them out of
    0.8 your/their/an adult/grown-up/parents' business/matter/problem/conversation
    0.8 i asked/was_asking him/her/alex
    0.7 that's his/her/alex's/your to decide/say/tell
    0.7 the two of you as parents
    0.7 as parents
    """
)
ALLY = Phrases(
    """
    # alliance
    0.8 safe place/space/here
    0.8 take your time
    0.7 no pressure
    0.7 you don't have to
    0.7 is that okay/ok/alright with? $
    0.7 would/is it be? okay/ok/all_right/alright if/with
    0.7 are you willing/okay/ok
    0.8 i really? appreciate
    0.8 that took/takes a_lot_of? courage
    0.8 you're/you_are very/so/really? brave
    0.8 thank you for sharing/telling/saying/coming/being/letting/trusting
    0.8 i'm/i_am so/very/really? glad you
    0.8 i want to help
    0.8 i'm/i_am here to/for
    0.8 i will/'ll help
    0.8 what would you like/want to work/get/happen/achieve/change
    0.8 what do you want/hope/need from therapy/me/this/here/today
    0.8 our/your goal/goals/work here?
    0.8 we're/we_are here to/for
    0.7 works for all/both of you
    0.8 what we're/we_are working
    0.7 we can/could/will work/figure
    0.8 you both want/love/care
    0.8 you all want
    0.8 all of you want/are
    0.8 you're/you_are all here
    0.8 you're/you_are both here/working/trying/fighting
    0.7 does that make sense
    0.8 good work/job
    0.8 well done
    """
)
ALLIED = Phrases(
    """
    # alliance
    0.8 that helps/helped
    0.8 this helps/helped/has_helped/is_helping
    0.8 this/that/it is/was/'s/has_been really/very/so/been? helpful
    0.7 that makes sense
    0.8 i'll/i_will/we'll/we_will try that/it/this/to
    0.8 i can try
    0.8 i'm/i_am willing
    0.8 we're/we_are willing
    0.8 i want/need to work on
    0.8 we want/need to work on
    0.8 we/i did the/our/my homework/exercise
    0.8 we've/we_have/i've been practicing/working/trying
    0.8 since we/i started coming/therapy/working
    0.8 why/what we're/we_are/i'm here for?
    0.7 thank you
    0.7 you helped us/me
    0.8 i trust you
    0.8 i/we feel safe here
    0.7 i feel comfortable here/with_you/telling/sharing
    0.7 i agree with you
    0.7 you're/you_are absolutely/totally/completely? right
    """
)

_ONE = rf"(?:you|he|she|they|{NAME})"
SEQUENCE = re.compile(
    rf"\bwhen(?:ever)? (?P<a>{_ONE})\b[^.?!]{{3,90}}?,? (?:then |that's when |and then )?"
    rf"(?P<b>{_ONE})(?:'re|'s| just| also| get| start)? \w+",
    re.I,
)
"""When one does this, the other does that."""
THE_MORE = re.compile(r"\bthe more\b[^.?!]{3,90}?\bthe (?:more|less)\b", re.I)
NOT_BUT = re.compile(
    r"\bit(?:'s| is) (?:not|n't) (?:that|about|because|so much)\b[^.?!]{3,90}?"
    r"(?:\bit(?:'s| is)\b|\bbut\b|\bthat's\b)",
    re.I,
)
"""It is not this, it is that."""
