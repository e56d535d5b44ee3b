"""Recognises in plain words that something is said to be done, saved or checked, and that somebody
asks whether it is. Pure: what is true stands in the database, and is shown beside either.

A false alarm costs little, as the page then states what is stored. So the patterns are wide, and
only what is plainly denied, supposed or asked is left out.
"""

import functools
import re
from dataclasses import dataclass

_FLAGS = re.IGNORECASE | re.VERBOSE
# Marks that end a clause; a decimal point or a file's name does not.
_CLAUSE = re.compile(r"[^.!?;:,\n—–]+(?:\.(?=\w)[^.!?;:,\n—–]+)*[.!?]?")


@dataclass(frozen=True, slots=True)
class _Language:
    """`open`: words before a claim that leave it open. `asks`: a clause that asks about it."""

    claims: re.Pattern[str]
    open: re.Pattern[str]
    asks: re.Pattern[str]


def _language(claims: str, open: str, asks: str) -> _Language:
    return _Language(*(re.compile(pattern, _FLAGS) for pattern in (claims, open, asks)))


_COMPLETE = r"(?:done|complete|completed|finished)"
_DONE = (
    rf"(?:{_COMPLETE}|saved|stored|marked|recorded|logged|submitted|verified|closed"
    r"|checked\ off|ticked\ off|checked)"
)
_SO = r"(?:(?:now|just|all|also|already|officially|successfully|fully|safely|been)\ )*"
_WELL = r"(?:(?:all|and|so|but|ok|okay|great|hey|hi|please|now)\ )*"
_ENGLISH = _language(
    claims=rf"""
    \b(?:I|we)\b(?:'ve)?(?:\ \w+){{0,4}}?
      \ (?:marked|saved|stored|recorded|logged|submitted|verified|completed|finished|checked
      |ticked)\b
    | \b(?:is|are|was|were|has|have|got|'s|'re|gets)\ {_SO}{_DONE}\b
    | (?<=\w)'(?:s|re)\ {_SO}{_DONE}\b
    | \bmark(?:ed|ing)\ (?:\w+\ ){{0,3}}{_COMPLETE}\b
    | \b(?:set|updated|changed|moved|switched|turned)\ (?:\w+\ ){{1,4}}(?:as|to)\ {_COMPLETE}\b
    | \b(?:see|shows?|have|had)\ (?:\w+\ ){{1,3}}(?:as\ )?{_COMPLETE}\b
    | \b(?:task|step|action|status|progress|work)\ {_SO}(?:{_COMPLETE}|saved|closed)\b
    | \bclosed\ (?:\w+\ )?(?:task|step)\b
    | \byou(?:'ve|\ have)?\ {_SO}(?:completed|finished|passed)\b
    | \b(?:check|checks|everything)\ {_SO}(?:has\ |have\ )?passed\b
    | \b(?:requirements?|rows?|criteria|everything)\ (?:is|are)\ {_SO}(?:met|fulfilled|satisfied)\b
    | \b(?:checked|ticked|crossed)\ (?:it|this|that|the\ task)\ off\b
    | \bconsider\ (?:it|this|that|the\ task)\ {_COMPLETE}\b
    | (?:^|\byou(?:'re|\ are)\ )\W*all\ set\W*$
    | ^\W*{_WELL}(?:{_COMPLETE}|saved)\W*$
    """,
    open=r"""
    \b(?:not|never|no(?!\ (?:worries|problem))|nothing|none|nobody|neither|nor|without|until
      |unless|once|when|whenever|if|whether|before|after|as\ soon\ as|cannot|say|says|said|think
      |(?:make|makes|making|be|being|are|not)\ sure)\b | n't\b
    """,
    asks=rf"""
    ^\W*{_WELL}
      (?:did|have|has|had|is|are|was|were|do|does|am|can|could|will|would
        |where\ (?:is|are|was)|tell\ me)\b
      .{{0,80}}\b(?:save|saved|saving|store|stored|mark|marked|record|recorded|kept|lost
        |(?:checked|ticked)\ off)\b
    | ^\W*{_WELL}(?:is|are|am|was)[ ]
      (?:it|this|that|I|we|(?:my|the|this)\ (?:task|step|action|work|progress))[ ]
      {_SO}{_COMPLETE}\b
    | ^\W*{_WELL}(?:did|have|has)\ (?:I|we|it)\b.{{0,40}}\b(?:complet|finish|pass)\w*\b
    | ^\W*{_WELL}(?:{_COMPLETE}|saved|stored|marked)\s*\?
    """,
)
_GERMAN = _language(
    claims=r"""
    \bhabe?n?\ .{0,60}\b(?:gespeichert|abgehakt|markiert|abgeschlossen|erledigt|gesichert)\b
    | \baufgabe\ (?:erledigt|fertig|abgeschlossen)\b
    | \b(?:ist|sind|wurden?)\ (?:(?:jetzt|nun|schon|bereits|damit|hiermit)\ )*
      (?:erledigt|fertig|abgeschlossen|gespeichert|gesichert|abgehakt|markiert|geprüft)\b
    """,
    open=r"\b(?:nicht|kein\w*|nie|nichts|noch|wenn|falls|sobald|bis|bevor|ob|erst)\b",
    asks=r"""^\W*(?:hast|habt|haben|ist|sind|wurden?)\b.{0,80}
      \b(?:gespeichert|gesichert|abgehakt|markiert|erledigt|fertig|abgeschlossen)\b""",
)
_FRENCH = _language(
    claims=r"""
    \bj'ai\ (?:(?:bien|déjà|tout)\ )*(?:enregistr|sauvegard|marqu|coch|termin|valid|complét)é
    | \btâche\ (?:termin|complét|valid|coch)ée
    | \b(?:est|sont|a\ été|ont\ été)\ (?:(?:maintenant|bien|déjà)\ )*
      (?:terminé|fini|faite?s?\b|enregistré|sauvegardé|complété|validé|marqué|coché|vérifié)
    """,
    open=r"\b(?:ne|pas|rien|jamais|aucun\w*|si|quand|lorsque|dès|avant|après|fois)\b | \bn'",
    asks=r"""^\W*(?:as-tu|avez-vous|est-ce|est|tu\ as|c'est)\b.{0,80}
      (?:enregistr|sauvegard|marqu|coch|termin|valid)é""",
)
_SPANISH = _language(
    claims=r"""
    \b(?:he|hemos)\ (?:ya\ )?(?:guard|marc|complet|termin|registr)ado\b
    | \btarea\ (?:complet|termin|guard|marc)ada\b
    | \b(?:está|están|ha\ sido|queda|quedó)\ (?:(?:ya|ahora)\ )*
      (?:guardad|complet|completad|terminad|marcad|hech|verificad)[oa]s?\b
    """,
    open=r"\b(?:no|nada|nunca|ni|si|cuando|hasta|antes|una\ vez)\b",
    asks=r"""^\W*(?:has|se\ ha|está|guardaste|marcaste)\b.{0,80}
      (?:guard|marc|complet|termin)(?:ad[oa]|aste)?\b | ^\W*guardaste\b""",
)
_PORTUGUESE = _language(
    claims=r"""
    \b(?:salvei|guardei|marquei|concluí|registrei|completei)\b
    | \btarefa\ (?:concluída|completa|terminada|feita)\b
    | \b(?:está|estão|foi|foram)\ (?:(?:já|agora)\ )*
      (?:salv|guardad|concluíd|feit|marcad|complet|terminad)[oa]s?\b
    """,
    open=r"\b(?:não|nada|nunca|nem|se|quando|até|antes)\b",
    asks=r"^\W*(?:você|tu|está|foi|salvou|guardou)\b.{0,80}(?:salv|guard|marc|conclu)",
)
_ITALIAN = _language(
    claims=r"""
    \bho\ (?:già\ )?(?:salv|segn|complet|registr|termin)ato\b
    | \b(?:attività|compito)\ (?:complet|termin|segn)at[oa]\b
    | (?:\bè|\bsono|è\ stat[oa])\ (?:(?:ora|già)\ )*
      (?:salvat|completat|finit|fatt|terminat|segnat|registrat)[oaie]\b
    """,
    open=r"\b(?:non|niente|mai|né|se|quando|finché|prima)\b",
    asks=r"^\W*(?:hai|è|avete)\b.{0,80}(?:salvat|segnat|completat|registrat|finit)",
)
_LANGUAGES = (_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _PORTUGUESE, _ITALIAN)
# Right after a claim: "is complete when every row is met" says what completes it.
_ON_TERMS = re.compile(r"\s*(?:only|once|when|if|as soon as|after|by you|yet|wenn|sobald)\b", re.I)


@functools.lru_cache(maxsize=2048)
def claims_done(text: str) -> bool:
    """Whether these words say that something is done, saved or checked."""
    return any(
        _is_claimed(clause, language)
        for clause in _clauses(text)
        if not clause.endswith("?")
        for language in _LANGUAGES
    )


@functools.lru_cache(maxsize=2048)
def asks_state(text: str) -> bool:
    """Whether these words ask if something is done, saved or marked."""
    return any(language.asks.search(clause) for clause in _clauses(text) for language in _LANGUAGES)


def _clauses(text: str) -> list[str]:
    plain = re.sub(r"[*_`]+", "", text.replace("\u2019", "'"))
    spaced = re.sub(r"[^\S\n]+", " ", plain)
    return [clause.strip() for clause in _CLAUSE.findall(spaced) if clause.strip()]


def _is_claimed(clause: str, language: _Language) -> bool:
    return any(
        not language.open.search(clause[: found.end()])
        and not _ON_TERMS.match(clause[found.end() :])
        for found in language.claims.finditer(clause)
    )
