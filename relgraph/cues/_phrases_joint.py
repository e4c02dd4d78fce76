"""Phrases of acts that look at it together, or draw others in. `_lexicon` says how it is read."""

from relgraph.cues._lexicon import Phrases

JOINT = Phrases(
    """
# interest
0.7 how do/did/does you/that/it/this feel/make_you
0.7 how do/did you feel
0.7 how are you feeling/doing
0.7 how was your
0.7 what do you think/feel/want/need/mean/wish/hope/like/make_of
0.7 what did you think/feel/want/need/mean/say/do/hear
0.7 what are you feeling/thinking/hoping/afraid
0.7 what were you feeling/thinking/hoping
0.7 what would you like/want/need
0.7 what would help
0.7 what's it/that like
0.7 what was it/that like
0.7 what is it/that like
0.6 what happened
0.7 tell me more
0.7 tell me about
0.6 tell me what/how
0.6 say more
0.6 are you okay/ok/alright/all_right
0.7 help me understand
0.6 i'm curious
0.6 i want to know/hear/understand
0.6 i'd like to know/hear/understand
0.6 i wonder what/how you
0.5 what about you
0.5 how about you
0.5 how come
0.5 why do you think/feel
0.6 in what way
0.5 what do you see
# humour
0.7 just/only kidding/joking
0.7 I'M kidding/joking
0.5 haha/hahaha/ha_ha/lol/hehe
0.5 that's funny
0.5 so funny
0.4 made me laugh
0.5 we laughed
0.5 that's hilarious
# we_framing
0.7 we've/we_have both
0.6 we're both
0.6 we're in this
0.5 we're not listening/talking/connecting/connected/hearing/communicating
0.5 our marriage is/has/needs
0.7 we both
0.7 both of us
0.7 the two of us
0.6 us both
0.7 as a couple/family/team
0.5 our relationship/problem/problems/pattern/cycle/issue/issues/connection/future/dynamic
0.6 between us
0.6 we're stuck/caught/disconnected/growing_apart/a_team/in/on_the_same/not_connected/distant
0.6 we are stuck/caught/disconnected/growing_apart/a/both/in/on_the_same
0.5 we keep/always/never/don't/can't
0.6 we need/want/have to
0.5 we get/end_up/fall/go into/in/stuck/caught/back
0.6 we were both
0.4 each other
0.4 one another
0.6 i want us
0.4 together $
0.6 work on this/it/us together
0.4 we assume/fight/argue/talk/struggle/avoid/react/trigger
# problem_solving
0.6 we could ask/call/see/get/use/look/split/share/plan
0.7 what if we/i/you
0.7 maybe/perhaps we/i should/could/can/need_to
0.7 how about we/if/i/this
0.6 we/i could try/do/start/maybe/always/set/make/have/go/take
0.7 we should try/do/start/maybe/set/make/have/go/take/sit
0.6 let's try/make/agree/set/do/start/plan/talk/go/say/take
0.7 next time
0.6 from now on
0.6 going forward
0.6 the plan/solution/answer is
0.7 one thing we/i/you can/could
0.6 figure out how/a/what
0.6 figure it/this/that out
0.6 find a way
0.6 come up with
0.6 work something/it/this/things out
0.6 compromise
0.6 what can we do
0.6 what do we do
0.6 how do we
0.6 how can we
0.6 we can try/do/start/set/make/have/go/take
0.6 set aside
0.6 once/twice a week
0.6 take turns
0.6 i could/can start/try
0.6 instead of
0.5 every week/evening/night/sunday/morning
0.5 we agreed
0.5 that would work
0.5 that could work
# reflection
0.7 i realize/realise/realized/realised
0.7 I'VE realized/realised/learned/learnt/noticed/come_to
0.7 I'M realizing/realising/noticing/learning/starting_to/beginning_to/aware
0.6 i notice/noticed/recognize/recognise/see_now/can_see
0.6 i see that/how i
0.4 i think i/i'm/i_was/that_i
0.4 i guess i/i'm
0.6 maybe i/i'm/i_was
0.5 i might be/have
0.7 i tend to
0.7 my part
0.7 part of me
0.6 a part of me
0.6 i wonder if/whether/why/how
0.6 i think that's/it's/this_is why/because/where/what
0.6 maybe it's/that's because/why
0.6 that's why i
0.6 the reason why? i
0.6 it comes from
0.6 goes back to
0.6 it reminds me
0.6 the way i was raised/brought_up
0.6 i was raised
0.6 i never learned/learnt
0.6 i learned/learnt to/that/from
0.7 looking back
0.7 in hindsight
0.6 now i see/understand/know/realize
0.6 pattern
0.6 cycle
0.6 i have a hard time/tendency
0.6 i don't know why i
0.6 i can be
0.6 i get defensive/triggered/scared/loud/quiet
0.6 i shut down
0.45 when YOU ... i
0.6 my way of
0.6 it's like i
0.6 i think we both
0.6 because of my
0.5 it makes me think
0.5 i think it's because
0.6 deep down
0.6 on some level
# triangulation
0.7 tell him/her/them/alex
0.6 ask him/her/alex
0.7 you tell him/her/alex
0.7 can/could/would you tell/explain/ask/make YOU
0.7 can/could you explain to YOU
0.7 you see what/how YOU
0.7 do you see what/how/that YOU
0.7 see what i mean
0.6 see what i have to
0.7 this is what i deal/have_to
0.6 that's what i have to deal/live
0.6 you heard/hear YOU
0.6 did you hear that/YOU
0.6 did you see that
0.7 don't you think YOU
0.6 don't you agree
0.7 am i wrong
0.7 am i crazy
0.6 am i the only
0.6 who's right
0.7 who is right
0.6 help me make YOU
0.7 make YOU understand/see/listen/stop
0.6 even YOU says/said/thinks/agrees
0.6 even my/your/his/her mother/father/mom/mum/dad/sister/brother/friend/friends/parents
0.6 everyone/everybody says/thinks/knows/sees/agrees
0.6 back me up
0.6 take my side
0.6 whose side
0.6 you saw/witnessed/witness YOU
0.6 you just witness/witnessed/saw/heard
0.6 is that normal
0.5 is this normal
0.6 you're the expert
0.6 tell me who
# sides_with
0.5 YOU'RE right
0.6 i agree with YOU
0.6 YOU'VE a point
0.6 YOU has a point
0.6 I'M with YOU on
0.7 I'M on YOUR side
0.7 i take YOUR side
0.7 leave YOU alone
0.6 don't talk to YOU like
0.6 don't speak to YOU
0.6 stop picking on YOU
0.6 to be fair to YOU
0.6 in YOUR defense/defence
0.6 give YOU a break/chance
0.6 let YOU speak/talk/finish/answer
0.5 stop yelling/shouting at YOU
0.6 that's not fair to YOU
0.6 don't blame YOU
0.5 it's not YOUR fault
0.5 what YOU said is right/true
"""
)
