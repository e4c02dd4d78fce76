"""Words that acts are told by; written for this project, one meaning a list."""

from relgraph.cues._lexicon import words

# Said of somebody, these lay a fault on them: "you lied", "she ignores me".
FAULTS = words(
    """
    lie cheat ignore yell scream shout blame abandon hurt betray ruin refuse forget neglect
    interrupt nag attack avoid hide dismiss reject criticize criticise humiliate embarrass insult
    mock belittle accuse complain control manipulate provoke punish threaten disrespect disappear
    deny disappoint exaggerate exclude explode freak gaslight hate invalidate judge lecture
    overreact patronize patronise smother snap spoil steal sulk undermine whine waste
    forgot hid stole lied withheld
    withhold stonewall abuse trick deceive destroy gamble flirt shame discount downplay oppose
    """
)
# Said not to be done, these lay a fault: "you don't listen", "he never helps".
DUTIES = words(
    """
    listen care help try understand talk call respect love trust support answer apologize apologise
    hear see show come stay tell let give do communicate appreciate bother change clean notice
    believe consider participate share acknowledge engage work contribute touch kiss hug
    respond remember pay spend defend protect stop ask make admit own take realize get
    """
)
# These are said not to be done in many other senses.
SOFT_DUTIES = words("see do make get believe come let take give stop stay tell realize spend")
GOOD_DEEDS = words(
    """
    help support love listen understand try care encourage laugh smile protect comfort hold forgive
    thank appreciate trust respect hug
    """
)
# Said of somebody, these are no fault, however much or always they are so.
GOOD = words(
    """
    supportive kind loving there patient helpful sweet caring happy proud funny good great
    wonderful nice generous honest gentle calm right beautiful strong smart brave amazing
    incredible awesome cute lovely hardworking excited grateful thankful fair careful loved safe
    special better smile laugh welcome
    """
)
FAULTY = words(
    """
    lazy selfish stubborn controlling cold mean rude cruel unfair immature irresponsible
    inconsiderate insensitive thoughtless dishonest defensive aggressive hostile critical negative
    dramatic needy clingy impossible unreasonable unreliable ungrateful disrespectful bossy
    manipulative judgmental judgemental paranoid jealous arrogant childish careless distant absent
    passive passive-aggressive abusive demanding difficult harsh hypocritical impatient
    irrational messy moody nasty neglectful obsessed petty possessive reckless secretive sloppy
    spoiled sneaky toxic unfaithful vindictive wrong bad awful terrible horrible hateful spiteful
    dismissive condescending untrustworthy annoying evasive
    unavailable detached uninvolved inconsistent unappreciative intimidating
    """
)
INSULTS = words(
    """
    idiot moron loser liar jerk fool coward brat bully narcissist monster psycho bitch asshole
    bastard slob hypocrite pig dummy imbecile nutcase tyrant stupid dumb pathetic useless worthless
    ridiculous disgusting crazy insane hopeless delusional idiotic clueless incompetent cheater
    """
)
ALWAYS = words("always constantly continually forever everytime")
NEVER = words("never rarely seldom hardly barely")
HEDGES = words(
    """
    maybe perhaps kinda sorta somewhat possibly probably might sometimes guess little slightly
    """
)
STRONG = words(
    """
    really so very totally completely absolutely extremely always never fucking damn goddamn
    literally whole entire ever
    """
)
MENTAL = words(
    "think feel want need believe love hate mean wish like prefer resent fear hope expect"
)
# "I think", "I mean", "I know" say nothing of the self; "I feel like you" is no feeling.
FEELING = words(
    """
    hurt sad scared afraid lonely alone ashamed embarrassed guilty worried anxious nervous angry mad
    upset frustrated disappointed depressed happy glad hopeless helpless overwhelmed exhausted tired
    insecure jealous vulnerable rejected abandoned unloved unwanted invisible ignored disconnected
    devastated heartbroken broken lost stuck confused grateful relieved hopeful excited proud safe
    unsafe loved empty numb stressed terrified panicked miserable resentful bitter small worthless
    inadequate uncomfortable trapped drained unheard misunderstood shocked betrayed heavy torn
    crushed humiliated unsupported appreciated unappreciated content peaceful calm
    """
)
TENDER = words(
    """
    hurt sad scared afraid lonely alone ashamed embarrassed worried anxious insecure vulnerable
    rejected abandoned unloved unwanted invisible disconnected devastated heartbroken broken lost
    helpless hopeless terrified empty small worthless inadequate unheard crushed humiliated torn
    fear sadness shame pain loneliness hurting tears
    """
)
FEELING_NOUNS = words(
    """
    feelings emotion emotions fear anger sadness shame guilt pain grief joy anxiety loneliness
    resentment frustration hurt panic tears stress insecurity depression disappointment trauma
    """
)
INNER = words(
    """
    feel want need wish hope love hate miss fear worry cry struggle suffer hurt long crave dread
    regret resent enjoy trust doubt care
    """
)
LONGING = words("miss need want long crave wish")
ASSENT = words(
    """
    yes yeah yep yup right ok okay sure true exactly correct absolutely definitely totally agreed
    mm mmm mhm mm-hmm mmhmm mm-hm uh-huh uhuh uhhuh aha alright indeed precisely certainly probably
    """
)
ASSENT_FILL = words(
    """
    i see know hear you got it that 's is all oh um uh , . ! - -- ... … makes sense think so do
    agree understand ah well hmm hm and of course get 'm with thank thanks
    """
)
PAST_TIMES = words(
    """
    ago yesterday remember remembered childhood once then back later years months weeks grew
    started happened first when last
    """
)
FILLERS = words("um uh er erm uhm umm uhh hmm ah")
ORDERS = words(
    """
    stop quit answer leave shut listen tell talk apologize apologise admit explain prove show face
    own fix change respect act calm grow do turn sit put pick clean call give let come
    """
)
"""Imperatives that press; others are mostly figures of speech or broken sentences."""
HARD_ORDERS = words("stop quit answer leave shut listen apologize apologise admit prove act grow")
NOT_FORBIDDEN = words("worry get know think mean forget be")
"""`Don't worry` and `don't get me wrong` press nobody."""
