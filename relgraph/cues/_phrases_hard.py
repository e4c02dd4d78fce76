"""Phrases of acts that press, attack or ward off. `_lexicon` says how such a table is read."""

from relgraph.cues._lexicon import Phrases

HARD = Phrases(
    """
# blame
0.6 YOU refuse/refuses/refused
0.6 YOU won't even
0.6 YOU shut/shuts ME out
0.6 YOU brush/brushes/brushed ME/it off
0.5 YOU roll/rolls/rolled your/his/her eyes
0.5 YOU'RE rolling your/his/her eyes
0.6 YOU walk/walks/walked away
0.5 YOU accuse/accuses/accused ME
0.6 YOU'RE trying to hurt/control/make_me/punish/cut/change/provoke/get_me
0.6 YOU take/takes/took it out on
0.9 YOUR fault
0.8 i blame YOU
0.8 YOU'RE to blame
0.8 YOU'RE the one to blame
0.7 YOU brought this/it/that on
0.6 happened without YOU
0.6 YOU walked out on
0.6 YOU let ... down
0.7 YOU turn/turns/turned ... against ME
0.7 YOU got ME into
0.6 YOU drove ... away
0.6 because of YOU
0.6 thanks to YOU
0.8 YOU started/caused this/it/that/all
0.8 YOU did this/that to ME
0.8 YOU made ME
0.6 YOU made it/this/things worse/hard/impossible
0.7 YOU ruin/ruined/wreck/wrecked/destroyed/broke everything/it/this/us/our/my
0.8 YOU'RE the one who
0.7 YOU'RE the reason
0.6 YOU'RE the problem
0.6 YOU should/shouldn't have
0.6 YOU should've/shouldn't've
0.6 YOU could have
0.5 if YOU hadn't/had
0.5 if YOU would/could just/only/at_least
0.7 if it wasn't/weren't for YOU
0.6 YOU let ME down
0.6 YOU let this/it/that happen
0.7 YOU left ME
0.6 YOU weren't/wasn't there
0.6 YOU drive/drives/drove ME
0.6 YOU push/pushes/pushed ME away
0.6 YOU put/puts ME in
0.6 how could YOU
0.6 what YOU did
0.5 what YOU do/does to ME
0.5 look what YOU
0.6 why did/didn't YOU
0.6 why DO YOU always/keep/never/have_to
0.6 why would YOU
0.7 it was YOU who/that
0.5 the way YOU treat/treats/treated/talk/talks/talked/spoke
0.5 YOUR way or
0.5 YOU don't/doesn't/didn't/do_not/does_not/did_not even
0.6 YOU just/only/simply don't/doesn't/didn't
0.5 YOUR drinking/lying/lies/cheating/affair/temper/anger/attitude
0.6 YOU take/takes/took ME for granted
0.6 YOU don't/doesn't/didn't give/make/have/put/take any/time/enough/the_time
# criticism
0.6 that's dishonesty/lazy/selfish/cruel/childish/mean/rude
0.6 IT'S dishonest/lazy/selfish/cruel/childish/mean/rude
0.5 YOUR so-called
0.5 YOU'VE zero/no patience/respect/empathy/idea
0.6 YOU has/have zero/no patience/respect/empathy
0.6 YOU keep/keeps
0.7 YOU can't/couldn't do anything right
0.7 everything is/has_to_be about YOU
0.6 YOU only/just? think/thinks only/just? of yourself/himself/herself
0.6 why can't YOU be more like
0.6 YOU'RE not even
0.7 all YOU DO is
0.7 all YOU ever DO
0.7 all YOU care/cares about
0.6 every time/day/night YOU
0.6 every single time/day/night
0.8 what's wrong/the_matter with YOU
0.7 the problem/trouble/issue/thing with YOU
0.7 YOUR problem is
0.6 that's typical
0.7 typical of YOU
0.7 so typical
0.5 that's just/exactly what/how YOU
0.6 this is what/how YOU DO
0.6 YOU can't/cannot even/ever
0.6 YOU don't/doesn't ever
0.6 nothing/anything i do is ever? right/good/enough/good_enough
0.5 it's never enough
0.5 never good enough for YOU
0.5 it's always about YOU
0.6 YOU only/just think/thinks/care/cares about
0.5 YOU think/thinks YOU'RE
0.5 YOU have/has this/that/an attitude
0.5 with YOUR attitude
0.6 YOU'RE not a good
0.5 it's always something with YOU
0.5 YOU'RE the type/kind of
# contempt
0.6 oh brilliant/great/wonderful/lovely/perfect/fantastic $
0.6 the genius
0.8 a waste of space/skin/oxygen
0.7 i can't/cannot stand YOU
0.7 i have/'ve no/zero respect for YOU
0.6 what kind of a? man/woman/husband/wife/father/mother/person are/is/does
0.6 what a genius/hero/saint
0.8 YOU make ME sick
0.8 YOU disgust ME
0.7 I'M so? sick of YOU
0.6 I'M so? sick and? tired? of YOU
0.7 what a joke/loser/surprise/baby/drama_queen
0.6 big surprise
0.6 how convenient
0.7 poor you/baby/thing
0.7 grow up
0.7 give me a break
0.7 oh please
0.5 oh really
0.5 oh sure
0.5 ^ yeah right $
0.5 ^ of course YOU
0.6 of course YOU DO/did/would/wouldn't
0.6 good for you $
0.4 congratulations $
0.5 thanks a lot $
0.5 here we go $
0.6 here we go again
0.7 blah blah
0.7 like a child/baby/toddler/teenager/kid/spoiled_brat
0.6 just like your/his/her mother/father/mom/dad/mum
0.7 what would you know
0.4 you wouldn't understand
0.7 get a life
0.6 get a real? job
0.5 it's pathetic/ridiculous/laughable
0.7 YOU'RE pathetic/ridiculous/disgusting/useless/worthless/hopeless/crazy/insane/nuts/delusional
0.7 YOU'RE being? a/an/such_a/such_an idiot/moron/loser/liar/jerk/fool/coward/baby/brat
0.7 YOU'RE being? a/an/such_a/such_an bully/narcissist/monster/psycho/bitch/asshole/joke
0.6 you call that
0.6 you think you're so
0.5 yeah because that's
0.5 must be nice
0.5 boo hoo
0.6 who cares what YOU
# belligerence
0.5 so what are you GONNA do
0.6 and who forgot/left/started/said/did/made/broke/lied
0.6 go on then
0.5 see how far you get
0.8 what are you GONNA do about
0.7 who do you think you
0.7 what is/the_hell wrong with you
0.7 what's your problem
0.7 what's wrong with you
0.7 are you kidding me
0.6 are you kidding
0.5 are you serious
0.6 are you crazy/insane/stupid/deaf
0.5 do you even
0.8 how dare YOU
0.7 try me
0.6 i dare you
0.6 what do you want from me
0.6 what do you want me to do/say
0.5 prove it
0.5 so what $
0.5 go ahead and
0.6 go on then
0.6 do you think i'm/i_am stupid/an_idiot
0.6 what the hell/fuck
0.5 what more do you want
0.5 what else do you want
0.5 is that what you want
0.6 happy now
0.5 are you happy
0.6 why can't you just/ever/even
0.5 how can you say/do/sit/not/expect/believe
0.5 is that all you
0.5 you want to fight
0.6 bring it on
0.6 says who
0.5 who asked you
0.5 since when
# domineering
0.7 listen to me
0.6 let me finish
0.6 let me tell you
0.5 i'm telling you
0.7 i'm talking/speaking $
0.7 i'm still talking/speaking
0.6 you listen
0.7 you need/have/got to listen/understand/realize/realise/stop/learn/grow/get
0.7 because i said so
0.8 do as i say
0.8 do what/as i/you're/you_are say/told/tell_you
0.7 i don't want to hear
0.8 shut up
0.8 be quiet
0.7 you're not going/allowed
0.7 you are not going/allowed
0.7 you will not
0.6 you're going to do
0.6 as long as you live
0.6 under my roof
0.6 my house
0.6 how many times do/have i
0.6 i said no/stop/now
0.6 don't you dare
0.6 don't you ever
0.6 sit down
0.6 look at me when
0.5 the fact is
0.5 the point is
0.5 end of story/discussion
0.6 that's final
0.6 don't talk back
0.6 don't interrupt
0.6 stop interrupting
0.5 you must
0.6 you can't just
0.6 you don't get to
0.6 who pays the
# demand
0.7 YOU gotta
0.7 YOU got to
0.6 YOU'VE got to
0.7 i need/want YOU to
0.7 YOU need/needs to
0.7 YOU have/has to
0.6 YOU must
0.6 YOU should
0.6 YOU'D better
0.6 YOU better
0.7 why don't/can't/won't you just?
0.6 i need/want/expect you/him/her/more/some/an apology/answer/honesty/respect/effort/help
0.6 I'M asking YOU to
0.6 I'M asking YOU
0.6 answer me
0.7 answer the question
0.7 just answer/tell/say/do/stop
0.6 talk to me
0.6 tell me the truth
0.6 stop it
0.6 you owe me
0.6 when are you GONNA
0.6 how long do i have to
0.5 at least you could
0.5 you could at least
0.5 all i ask/want/asked is
0.5 all i'm asking
0.6 you promised
0.5 i expect
0.6 you're supposed to
0.6 YOU'RE supposed to
0.6 you have got to
0.6 i won't accept
0.5 it has to stop/change
0.5 things have to change
# defence
0.4 i did not $
0.5 that's what i've been
0.6 it wasn't intentional
0.5 not on purpose
0.5 i didn't do anything
0.5 i'm allowed/entitled to
0.5 i have a right to
0.6 i can't be the only one
0.7 that's not true
0.7 it's not true
0.7 that's not what i said/meant/did/say/mean
0.6 that's not fair
0.5 that's not how
0.5 IT'S not like that
0.5 IT'S not what happened
0.6 i never said/did/meant/wanted/asked
0.5 i don't/do_not yell/lie/ignore/do_that/drink/nag/shut/attack/blame/avoid
0.4 i wasn't/was_not
0.4 i didn't/did_not
0.4 i haven't/have_not
0.5 i wasn't trying
0.6 I'M not the one
0.5 I'M not trying to
0.4 I'M not being
0.5 I'M not a bad/cruel/mean/terrible/horrible
0.4 I'M not saying
0.6 it wasn't me
0.6 you're/you_are twisting my/what
0.6 I'M not the only one
0.7 it's not my fault/problem/job
0.7 not my fault
0.4 i was just/only/simply
0.6 i was just/only trying
0.5 I'M just/only trying
0.4 I'M just/only saying/asking
0.4 I'M trying $
0.5 I'M trying my best/hardest
0.5 i do/did my best
0.5 I'M doing my/the best
0.6 i had no choice
0.4 i had to
0.6 what was i supposed
0.6 what am i supposed
0.6 how was i supposed/to_know
0.6 what did i do
0.6 what have i done
0.6 what do you expect
0.6 in my defense/defence
0.6 yes i do/did/am/was/have
0.6 no i don't/didn't/wasn't/haven't/won't/wouldn't/did_not/do_not/was_not
0.6 no I'M not
0.4 i already
0.5 i told you that/already/before
0.5 i do work/listen/help/try/care/talk/tell/support/do
0.6 i did try/tell/say/ask/help/call/apologize/apologise/do
0.5 but i/i'm/i've do/did/am/was/didn't/don't/not/already
0.4 but i
0.5 it's not that i
0.4 not because i
0.4 the reason i
0.5 i only did/do/said/say
0.4 i just wanted/want to
0.5 i was busy/tired/working/sick/stressed/drunk/at_work
0.6 you're blaming me
0.6 don't blame me
0.6 that's your opinion
0.6 i have nothing to
0.5 I'VE done everything
0.5 i do everything
0.5 you're putting words in
0.5 i had every right
0.6 i had no idea
0.5 i had no intention
0.5 i can't help it
0.4 i would never
0.4 there's no conflict/problem
# minimising
0.6 it was/is one drink/time/night/beer/text/mistake
0.6 it's one drink/time/night/beer/text/mistake
0.7 it's not that/a big bad/deal/serious
0.7 not a big deal
0.7 not that big of? a? deal?
0.7 not that bad/serious/important
0.7 no big deal
0.7 it's no big
0.6 it's nothing $
0.6 it was nothing $
0.5 it was just/only a/one/once
0.6 it's just/only a
0.6 only once
0.6 just once
0.7 YOU'RE overreacting/exaggerating
0.7 YOU'RE too/so/being_too/being_so sensitive/dramatic
0.7 YOU'RE being dramatic/oversensitive
0.7 making a big deal
0.7 make a big deal
0.7 making a mountain
0.6 blow/blowing/blew it/this/things/everything out of proportion
0.6 get over it
0.5 let it go
0.6 everybody/everyone/all_couples/every_couple does/do/fight/fights/argue/argues
0.6 it's not the end of the world
0.5 it's fine $
0.6 it could be worse
0.6 could be worse
0.5 it doesn't matter $
0.5 it's not a problem
0.6 there's nothing wrong
0.6 nothing happened
0.5 what's the big deal
0.6 it's all in YOUR head
0.5 don't be so
0.5 come on it's
"""
)
