"""A report on a table as the template sets it: who sat there, each fault once, what was paid and is due."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from engine.core.events import CorrectionMade
from engine.core.vocabulary import Seq
from engine.tables.faults import Fault
from engine.tables.report import TableReport
from service.auth.grants import named
from service.presentation.i18n.translate import told
from service.presentation.reports.article import WIDE, Fact, Found, Put, found_told, value_told
from service.presentation.reports.clauses import Clauses, Section, source_called
from service.presentation.reports.reckoning import Balance, Reckoned, Reckoning, reckoned, totals
from service.presentation.reports.signs import stopped, typeset
from service.presentation.text import names
from service.presentation.text.findings import with_cards
from service.presentation.text.mistakes import FOLLOWING, put_right
from service.presentation.text.style import Style
from service.presentation.text.tables import following_told, on_condition_told


class AboutTable(NamedTuple):
    """What a report on a table says beside what the logs do.

    ``title`` is what the table is called, ``date`` the day on which it was opened, in words, ``record`` its
    id; each is empty where that is not known. ``names`` tells how members of the club are called, by their
    ids. ``address`` gives where the report on a deal is, by the name of its stream, where it is anywhere.
    """

    title: str
    date: str = ""
    record: str = ""
    names: Mapping[str, str | None] = {}
    address: Callable[[str], str] | None = None


class DealNamed(NamedTuple):
    """A deal as it is called here, and where its own report is; empty where that is nowhere."""

    told: str
    url: str


class FaultTold(NamedTuple):
    """A fault in words; ``deal`` None for an entry of the table's own log.

    ``follows`` are the first of the findings that follow from it, ``more`` counts the others; ``instead``
    are the mistakes of the pen that may have been instead of it.
    """

    deal: DealNamed | None
    seq: Seq
    found: Found
    corrections: tuple[Put, ...]
    follows: tuple[str, ...]
    more: int
    instead: tuple[str, ...]


class DealTold(NamedTuple):
    """A deal of the evening, and what was paid in it beside what is due."""

    deal: DealNamed
    reckoned: Reckoned


class EveningArticle(NamedTuple):
    """A report on a table as it is printed; ``first``: where account and rules part, else None.

    ``on_condition`` says for which deals the account holds only on a condition.
    """

    title: str
    players: tuple[str, ...]
    facts: tuple[Fact, ...]
    ok: bool
    faults: tuple[FaultTold, ...]
    first: DealNamed | None
    first_apart: str
    on_condition: str
    deals: tuple[DealTold, ...]
    totals: tuple[Balance, ...]
    rules: str
    revision: int
    source: str
    clauses: tuple[Section, ...]

    @property
    def parted(self) -> tuple[DealTold, ...]:
        """The deals in which something else was paid than is due."""
        return tuple(one for one in self.deals if one.reckoned.state == "apart")


def evening_article(made: TableReport, lang: str, about: AboutTable) -> EveningArticle:
    """The report in a language. Its logs were cut already for whoever reads it."""
    return _Evening(made, Style(lang, WIDE), about).told()


class _Evening:
    """One telling of a report on a table: its sentences, and the clauses that are named on the way."""

    def __init__(self, made: TableReport, style: Style, about: AboutTable) -> None:
        self.made, self.style, self.about = made, style, about
        self.rules = made.table.rules
        self.clauses = Clauses(self.rules, style.lang)
        self.numbers = {one.line.deal: one.line.number for one in made.deals}
        self.here = {one.line.deal: one.judged for one in made.deals if one.judged is not None}
        self.reckoning = Reckoning(style, self._named)

    def told(self) -> EveningArticle:
        made, ruleset, lang = self.made, self.rules.ruleset, self.style.lang
        first = made.first
        return EveningArticle(
            self.about.title,
            tuple(map(self._named, made.ledger.players)),
            tuple(self._facts()),
            made.ok,
            tuple(map(self._fault, made.faults)),
            None if first is None or first.line.deal is None else self._deal(first.line.deal),
            "" if first is None else self.reckoning.parting(first),
            on_condition_told(made, self.style),
            tuple(DealTold(self._deal(one.line.deal), reckoned(one, self.reckoning)) for one in made.deals),
            tuple(totals(made, self.reckoning)),
            ruleset.words[lang],
            ruleset.revision,
            source_called(ruleset.source, lang),
            self.clauses.named(),
        )

    def _named(self, text: str) -> str:
        """A text with members of the club called by name."""
        return named(text, self.about.names)

    def _facts(self) -> Iterator[Fact]:
        """When the table was opened, by which rules, how many deals were started there."""
        opened, rules, lang = self.made.table.opened, self.rules, self.style.lang
        if self.about.date:
            yield Fact("date", self.about.date)
        known = f"{rules.ruleset.words[lang]}, {opened.ruleset}/{rules.ruleset.revision}"
        yield Fact("rules", known if rules.known else opened.ruleset)
        switches = "; ".join(f"{name}: {value_told(value)}" for name, value in opened.switches)
        if switches:
            yield Fact("switches", switches)
        yield Fact("deals", str(len(self.made.deals)))
        if self.about.record:
            yield Fact("record", self.about.record)

    def _deal(self, deal: str | None) -> DealNamed:
        """A deal by its number; its report is there where its record is."""
        called = names.place_label("deal", self.style, number=self.numbers.get(deal) or str(deal))
        address = self.about.address
        url = address(deal) if address is not None and deal is not None and deal in self.here else ""
        return DealNamed(f"{called[:1].upper()}{called[1:]}", url)

    # What is wrong

    def _fault(self, fault: Fault) -> FaultTold:
        style = self.style
        return FaultTold(
            None if fault.deal is None else self._deal(fault.deal),
            fault.finding.seq,
            self._found(fault),
            tuple(
                Put(", ".join(map(str, one.replaces)), tuple(self._put_right(fault.deal, one)))
                for one in fault.corrections
            ),
            tuple(
                self._named(typeset(following_told(one, fault, self.numbers, style)))
                for one in fault.follows[:FOLLOWING]
            ),
            max(0, len(fault.follows) - FOLLOWING),
            tuple(
                self._named(typeset(with_cards(told(one.finding.message, style.lang), style)))
                for one in fault.instead
            ),
        )

    def _found(self, fault: Fault) -> Found:
        """A fault's finding. Only the clauses of the table's own rules are printed below."""
        judged = self.here.get(fault.deal)
        rules = self.rules if judged is None else judged.state.opening.rules
        same = rules.ruleset.clauses == self.rules.ruleset.clauses
        clauses = self.clauses if same else Clauses(rules, self.style.lang)
        found = found_told(fault.finding, self.style, clauses)
        sections = found.sections if same else tuple(one._replace(clauses=()) for one in found.sections)
        return found._replace(message=self._named(found.message), sections=sections)

    def _put_right(self, deal: str | None, correction: CorrectionMade) -> Iterator[str]:
        """What would stand in a deal in place of what is corrected, each entry as it would be read there."""
        judged = self.here[deal]
        entries, book = judged.history.entries, judged.state.opening.book
        for one in put_right(entries, correction, book, self.style):
            yield self._named(stopped(one))
