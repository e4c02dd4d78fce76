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
0.8 I'M so/really/very/truly/deeply/terribly sorry
0.7 ^ sorry about/for/that
0.7 I'M sorry
0.5 ^ sorry $
0.5 okay/ok/oh/yeah/yes sorry $
0.8 please forgive me
0.7 forgive me
0.7 it's my fault
0.8 it's all my fault
0.8 that/it was all? my fault
0.6 i take it/that back
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
0.7 i know/see/understand how much/lonely/hurt/hard/sad/scared/alone/tired/angry/upset
0.7 anyone/anybody/everyone would feel/be/react
0.6 i believe you $
0.6 no wonder you/you're
0.6 i know you tried/try
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
"""
)
