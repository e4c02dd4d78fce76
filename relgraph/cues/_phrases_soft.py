"""Phrases of acts that open, mend and join. `_lexicon` says how such a table is read."""

from relgraph.cues._lexicon import Phrases

SOFT = Phrases(
    """
# disclosure
0.6 i/i've lie/lying/lay/been_lying awake
0.6 i can't sleep/breathe/cope/eat
0.6 i've never told
0.6 i haven't told anyone/anybody
0.6 i keep crying
# request
0.6 I'D like/love us to
0.6 i want us to
0.6 please help
0.6 help me with/to
0.6 should we
0.5 you want/wanna to?
0.7 I'D love for YOU to
0.6 i would love YOU to/if
0.8 would/could you please/maybe/just
0.7 can/could/would/will you
0.8 would you mind
0.8 would you be willing/open/able
0.7 I'D like/love YOU to
0.7 I'D like/love it if
0.7 I'D appreciate
0.7 i would really like/love/appreciate
0.6 i wish YOU
0.6 i wish YOU'D
0.6 i'd prefer/rather
0.5 please *
0.6 can/could/may i
0.6 can/could we
0.6 i'd/i_would ask
0.6 it would help me? if
0.6 it would mean a lot
0.6 do you want/wanna to?
0.5 what i need/want from you
0.6 i was hoping
0.6 i'm hoping
0.5 let me ask
0.6 is it okay/ok/possible if/to/that
0.5 i just want you
0.5 i just need you
0.5 maybe you could
# apology
0.7 that was my mistake
0.6 that's on me
0.9 i apologize/apologise
0.8 I'M so/really/very/truly sorry
0.7 I'M sorry
0.5 ^ sorry $
0.5 okay/ok/oh/yeah/yes sorry $
0.8 please forgive me
0.7 forgive me
0.7 it's my fault
0.8 it's all my fault
0.8 that was my fault
0.7 i was wrong
0.6 i was out of line
0.7 i shouldn't/should_not have
0.7 i shouldn't've
0.7 i should have been/listened/told/called/asked/done/said/known
0.7 i should've
0.7 i take full? responsibility
0.7 i own that/it/my
0.7 i messed/screwed up
0.6 i made a mistake
0.6 i hurt you/him/her
0.6 i let you down
0.6 i owe you an apology
0.6 i regret
0.6 i feel bad/terrible/awful/guilty about/that/for
0.6 my bad
0.6 that was wrong of me
# repair_bid
0.7 let me try to say
0.8 start over
0.8 let me start/try again
0.8 let me restart
0.7 let me rephrase
0.7 let's calm down
0.7 can we calm down
0.7 let's not fight/argue/do_this
0.7 i don't want to fight/argue
0.6 i don't wanna fight/argue
0.7 let's slow down
0.7 can we slow down
0.7 can we take a break
0.7 take a break
0.7 let's take a step back/breath
0.6 take a deep? breath
0.7 can we try/talk again
0.6 try again
0.7 I'M not trying to hurt/attack/blame/criticize/criticise/fight/upset
0.7 i didn't mean to hurt/upset/attack/sound/make
0.7 i don't want to hurt/lose/upset
0.7 I'M on your side
0.7 we're on the same side/team
0.6 same team
0.6 can we start
0.7 what can i do to
0.7 how can i make it
0.7 how can i help
0.7 how do i make it better/right
0.7 make it up to you
0.7 make things right
0.7 i want to make this/it/things work/better/right
0.7 i want us to be/move/get/work
0.7 i want to work on
0.6 move forward
0.6 I'M just kidding
0.6 just kidding
0.6 that came out wrong
0.7 that's not how i meant
0.6 can i have a hug
0.7 can i hold
0.6 come here
0.6 i hear you
0.6 let's try to
0.6 see/seeing things from each other
0.6 meet in the middle
0.6 meet you halfway
0.7 i will try
0.6 I'LL try to/harder/my
0.6 I'M willing to
# accepting_influence
0.7 YOU'RE right
0.8 YOU'RE absolutely/probably/totally/completely right
0.7 you have a point
0.7 you've got a point
0.7 good/fair point
0.7 that's a good/great/fair point/idea
0.7 that's fair
0.6 fair enough
0.6 i agree
0.7 i can do that/it
0.7 i could do that
0.7 i will do that
0.7 I'LL do that/it
0.7 I'LL try
0.6 I'LL work on
0.6 i can try
0.6 I'M willing to
0.6 let's do it/that
0.6 we can do that
0.5 okay/ok I'LL
0.6 sure I'LL
0.5 i never thought of/about it/that
0.6 i didn't think of it that way
0.6 i see your/what_you point/mean/are_saying
0.5 all right I'LL
0.6 you're right about
0.6 i will $
# validation
0.7 i'd/i_would be hurt/angry/upset/sad/scared/mad/worried too
0.8 i understand/get/see/know why YOU
0.8 i understand/get/see how YOU
0.7 i understand/get that YOU
0.7 i can understand/see/imagine/hear
0.7 that makes sense
0.7 it makes sense
0.7 makes a lot of sense
0.7 makes total/perfect sense
0.7 i hear you
0.7 i hear what you
0.6 i hear that
0.7 of course you feel/felt/were/are
0.7 you have every/a right to
0.7 it must be/have_been hard/difficult/tough/painful/awful/scary
0.7 that must be/have_been
0.7 that sounds hard/tough/difficult/painful/really/so/like
0.6 i would feel/be the same
0.7 i'd feel the same
0.6 i feel the same
0.6 i don't blame you
0.6 that's understandable
0.6 that's valid
0.6 YOUR feelings are valid
0.6 i know how hard
0.6 i know it's/it_was/that's hard/been_hard/tough
0.6 i know you're/you_are/you're/you_feel/you_felt/you_were
0.5 i understand $
0.5 i get it $
0.5 i get that $
0.4 i know $
0.7 i respect that
0.7 i appreciate that
0.6 thank you for saying/telling/sharing/that/being/listening/understanding
# reassurance
0.8 it's/it_is/it'll/it_will going_to_be/be/gonna_be okay/ok/alright/all_right/fine
0.7 it'll be okay/ok/alright/fine
0.7 you're/you_are/we're/we_are/we'll/you'll going_to_be/gonna_be/be okay/ok/alright/all_right/fine
0.8 I'M not going anywhere
0.8 I'M not leaving
0.8 I'M not going to leave
0.8 i won't leave
0.8 I'M here for you
0.8 I'M right here
0.7 I'M here $
0.7 i will always
0.7 I'LL always
0.7 I'LL be there
0.7 i still love you
0.7 don't worry
0.7 you don't have/need to worry
0.7 you can trust/count_on me
0.7 i promise
0.7 we'll get through
0.7 we can get through
0.7 we'll figure it out
0.7 we'll be okay/fine
0.6 I'VE got you
0.6 you're not alone
0.7 it's not your fault
0.6 you did nothing wrong
0.6 you didn't do anything wrong
0.6 it's okay $
0.6 it's ok $
0.6 it's alright $
0.6 you're safe
# affection
0.9 i love you
0.8 i really/do/still love you/him/her
0.8 i love YOU
0.7 i adore YOU
0.7 i care about/for YOU
0.7 i miss you
0.7 I'M proud of YOU
0.7 I'M so/really/very proud
0.7 I'M grateful/thankful for/to YOU
0.7 I'M so? lucky to have
0.7 i appreciate YOU
0.7 i appreciate what/everything/how YOU
0.6 you mean so? much? everything? to me
0.7 YOU'RE a/an/such_a/such_an great/good/wonderful/amazing/awesome/incredible/beautiful
0.7 YOU'RE a/an/such_a/such_an kind/loving/fantastic
0.7 YOU'RE amazing/wonderful/beautiful/incredible/awesome/great/lovely/kind/sweet/my_best_friend
0.7 YOU make/makes ME feel/so? happy/loved/safe/special/laugh/smile/good/better
0.6 thank you so/very much
0.5 ^ thank you
0.6 sweetheart/honey/darling/sweetie/babe/baby/my_love/my_beautiful $
0.6 well done
0.6 good job
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
