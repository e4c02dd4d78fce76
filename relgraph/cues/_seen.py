"""What a detector sees: one turn, its parse, who is there, who is meant, and what came before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from relgraph.cues._lexicon import words
from relgraph.cues._parse import Parse, Plain, Token, parse_plain, plain_of
from relgraph.cues.codebook import CODEBOOK
from relgraph.cues.records import Cue, CueSource
from relgraph.graph._mentions import YOU, Names
from relgraph.records import Conversation

PAST_TURNS = 12
"""How many earlier turns a detector can look back on (besides the last one of each person)."""
BELIEVED = 0.6
"""How sure an addressee is who is only the last other speaker."""
THIRD = words("he him his himself she her hers herself")
SPOUSE = words("husband wife partner spouse boyfriend girlfriend fiance fiancee")
OUTSIDER = words(
    """
    mother mom mum father dad brother sister son daughter boss friend teacher doctor lawyer aunt
    uncle grandmother grandma grandfather grandpa neighbor neighbour ex guy man woman girl boy kid
    child baby therapist colleague coworker
    """
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in a turn where a person is meant.

    Attributes:
        person: who.
        token: position of the word.
        how: `name`, `you`, `pronoun` (he, she) or `kin` (my husband).
        weight: how sure, in (0, 1].
    """

    person: str
    token: int
    how: str
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One turn (or a remark behind it), and all that may be known by then.

    Attributes:
        conversation: id of the conversation.
        turn: index of the turn.
        speaker: who says it; the group's name where the group speaks at once.
        text: as given.
        parse: of the text.
        addressees: the people it is said to, a group told apart into its members.
        sure: how sure the addressees are, in (0, 1]: 1 where given.
        addressee_known: they were given or inferred; False: believed to be the last other speaker.
        to_group: it is said to the group, or to several.
        supporter: name of the supporter.
        scenario: `couple`, `family`, another word or "".
        clients: the roster, or whoever is known by then, without the supporter.
        remark: it is talk behind the turn, not the turn itself.
        mentions: who is meant where.
        past: earlier turns, the latest last; a remark sees the turn it is behind as the latest.
        last_of: person -> their last turn before this one.
        start_s: start in seconds, None where unknown.
        end_s: end in seconds, None where unknown.
        timing: as in the conversation.
        tone: the described tone of voice.
        remarked: who remarks behind the turn.
        found: turn -> the cues found in it so far: one record for the whole conversation, which
            `find` fills turn by turn; detectors read it with `earlier`.
    """

    conversation: str
    turn: int
    speaker: str
    text: str
    parse: Parse = field(repr=False)
    addressees: tuple[str, ...]
    sure: float
    addressee_known: bool
    to_group: bool
    supporter: str
    scenario: str
    clients: tuple[str, ...]
    remark: bool
    mentions: tuple[Mention, ...]
    past: tuple[Seen, ...] = field(repr=False)
    last_of: Mapping[str, Seen] = field(repr=False)
    start_s: float | None = None
    end_s: float | None = None
    timing: str = "unknown"
    tone: str = ""
    remarked: tuple[str, ...] = ()
    found: dict[int, list[Cue]] = field(default_factory=dict, repr=False)

    @property
    def by_supporter(self) -> bool:
        """Whether the supporter speaks."""
        return self.speaker == self.supporter

    @property
    def to_supporter(self) -> bool:
        """Whether it is said to the supporter, perhaps among others."""
        return self.supporter in self.addressees

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The words of the turn."""
        return self.parse.tokens

    @property
    def others(self) -> tuple[str, ...]:
        """The clients other than the speaker."""
        return tuple(name for name in self.clients if name != self.speaker)

    @property
    def before(self) -> Seen | None:
        """The turn before this one; for a remark the turn it is behind."""
        return self.past[-1] if self.past else None

    def earlier(
        self, *names: str, source: str = "", target: str = "", within_turns: int = PAST_TURNS
    ) -> Iterator[Cue]:
        """Yields cues found in earlier turns, the latest turn first.

        Args:
            names: of the cues.
            source: only from this person; "" from anybody.
            target: only towards this person; "" towards anybody.
            within_turns: only in so many turns before.
        """
        for seen in reversed(self.past[-within_turns:]):
            for cue in self.found.get(seen.turn, ()):
                if cue.name in names and source in ("", cue.source) and target in ("", cue.target):
                    yield cue

    def meant(self, token: int) -> tuple[Mention, ...]:
        """Returns who is meant by the word at a place; several for `you` said to several."""
        return tuple(m for m in self.mentions if m.token == token)

    def cue(
        self,
        name: str,
        target: str,
        strength: float,
        words: str,
        *,
        detail: str = "",
        by: CueSource = "words",
    ) -> Cue:
        """Returns a cue of this turn's speaker; the strength is brought into (0, 1]."""
        assert name in CODEBOOK, name
        return Cue(
            name=name,
            turn=self.turn,
            source=self.speaker,
            target=target,
            strength=round(min(1.0, max(0.05, strength)), 3),
            words=words,
            detail=detail,
            by=by,
        )

    def cues(
        self,
        name: str,
        strength: float,
        words: str,
        *,
        detail: str = "",
        by: CueSource = "words",
    ) -> Iterator[Cue]:
        """Yields the cue for each addressee, weaker where not sure; or once for nobody."""
        for person in self.addressees or ("",):
            yield self.cue(name, person, strength * self.sure, words, detail=detail, by=by)


@dataclass(frozen=True, slots=True)
class _Utterance:
    """What a turn or a remark says, made ready for the parser."""

    turn: int
    speaker: str
    given: tuple[str, ...]
    confidence: float | None
    plain: Plain
    clients: tuple[str, ...]
    remark: bool = False
    start_s: float | None = None
    end_s: float | None = None
    tone: str = ""
    remarked: tuple[str, ...] = ()


def see_all(conversations: Iterable[Conversation]) -> list[list[Seen]]:
    """Returns for each conversation its turns and remarks in order, all parsed in one go.

    Each is seen by what stands up to it: names of people who are not on the roster count from the
    turn on in which they first speak or are spoken to.
    """
    listed = list(conversations)
    heard = [list(_utterances(c)) for c in listed]
    parses = iter(parse_plain([u.plain for utterances in heard for u in utterances]))
    return [
        list(_seen(conversation, utterances, parses))
        for conversation, utterances in zip(listed, heard, strict=True)
    ]


def _utterances(conversation: Conversation) -> Iterator[_Utterance]:
    names = Names()
    apart = {conversation.group, conversation.supporter, ""} - set(conversation.participants)
    clients = dict.fromkeys(conversation.listed)
    for name in (*conversation.listed, conversation.supporter):
        names.add(name)

    def meet(*people: str) -> None:
        for name in people:
            if name not in apart:
                names.add(name)
                if not conversation.listed:
                    clients.setdefault(name)

    for turn in conversation.turns:
        meet(turn.speaker, *turn.addressees)
        yield _Utterance(
            turn=turn.index,
            speaker=turn.speaker,
            given=turn.addressees,
            confidence=turn.addressee_confidence,
            plain=plain_of(turn.text, names),
            clients=tuple(clients),
            start_s=turn.start_s,
            end_s=turn.end_s,
            tone=turn.tone,
            remarked=tuple(dict.fromkeys(r.speaker for r in turn.background)),
        )
        for remark in turn.background:
            meet(remark.speaker, *remark.addressees)
            yield _Utterance(
                turn=turn.index,
                speaker=remark.speaker,
                given=remark.addressees or (turn.speaker,),
                confidence=None if remark.addressees else BELIEVED,
                plain=plain_of(remark.text, names),
                clients=tuple(clients),
                remark=True,
            )


def _seen(
    conversation: Conversation, utterances: Iterable[_Utterance], parses: Iterator[Parse]
) -> Iterator[Seen]:
    past: tuple[Seen, ...] = ()
    last_of: dict[str, Seen] = {}
    found: dict[int, list[Cue]] = {}
    group = conversation.group if conversation.group not in conversation.participants else ""
    for u in utterances:
        parse = next(parses)
        members = tuple(p for p in u.clients if p != u.speaker)
        addressees = tuple(
            dict.fromkeys(
                person
                for name in u.given
                for person in (members if group and name == group else (name,))
                if person and person != u.speaker
            )
        )
        sure = 1.0 if u.confidence is None else max(0.05, u.confidence)
        known = bool(addressees)
        if not known:
            last = next((s.speaker for s in reversed(past) if s.speaker != u.speaker), "")
            addressees = (last,) if last and last != group else ()
            sure = BELIEVED
        now = Seen(
            conversation=conversation.id,
            turn=u.turn,
            speaker=u.speaker,
            text=u.plain.text,
            parse=parse,
            addressees=addressees,
            sure=sure,
            addressee_known=known,
            to_group=len(addressees) > 1 or group in u.given,
            supporter=conversation.supporter,
            scenario=conversation.scenario,
            clients=u.clients,
            remark=u.remark,
            mentions=tuple(_mentions(parse, u.speaker, addressees, sure, known, u.clients, past)),
            past=past,
            last_of=dict(last_of),
            start_s=u.start_s,
            end_s=u.end_s,
            timing=conversation.timing,
            tone=u.tone,
            remarked=u.remarked,
            found=found,
        )
        yield now
        if not u.remark:
            past = (*past, now)[-PAST_TURNS:]
            last_of[u.speaker] = now


def _mentions(
    parse: Parse,
    speaker: str,
    addressees: tuple[str, ...],
    sure: float,
    known: bool,
    clients: tuple[str, ...],
    past: tuple[Seen, ...],
) -> Iterator[Mention]:
    """Yields who is meant where: by name, `you`, `he`, `she`, `my husband`.

    A pronoun means the client whom the sentence or the one before named last; else, of two
    clients, the one who is neither speaking nor spoken to; else whoever of the clients was named
    last in the three turns before. After somebody from outside ("my boss", "her mother") it means
    nobody here. `they` is never resolved.
    """
    free = [p for p in clients if p != speaker and (p not in addressees or not known)]
    named, named_at = "", -9
    outside = -9
    for t in parse.tokens:
        people = parse.names.get(t.i)
        if people:
            for person in people:
                if person != speaker:
                    yield Mention(person, t.i, "name", 1 / len(people))
            if people[0] in free:
                named, named_at = people[0], t.sentence
                outside = -9
        elif t.text in YOU:
            for person in addressees:
                yield Mention(person, t.i, "you", sure)
        elif t.lemma in SPOUSE and len(clients) == 2 and len(free) == 1 and _mine(parse, t):
            yield Mention(free[0], t.i, "kin", 0.9)
            named, named_at, outside = free[0], t.sentence, -9
        elif t.lemma in OUTSIDER and t.pos == "NOUN" and t.tag == "NN":
            outside = t.sentence
        elif (t.text in THIRD) and t.sentence - outside > 1:
            if named and t.sentence - named_at <= 1:
                yield Mention(named, t.i, "pronoun", 0.8)
            elif len(clients) == 2 and len(free) == 1:
                yield Mention(free[0], t.i, "pronoun", 0.9)
            else:
                person = _named_last(past, free)
                if person:
                    yield Mention(person, t.i, "pronoun", 0.5)


def _mine(parse: Parse, t: Token) -> bool:
    return any(parse.tokens[c].text == "my" for c in parse.children[t.i])


def _named_last(past: tuple[Seen, ...], free: list[str]) -> str:
    for seen in reversed(past[-3:]):
        for mention in reversed(seen.mentions):
            if mention.how == "name" and mention.person in free:
                return mention.person
    return ""
