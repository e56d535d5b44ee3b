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
_KEPT = (
    r"(?:saved|stored|recorded|logged|submitted|marked|ticked\ off|checked\ off|accepted|approved)"
)
_DONE = rf"(?:{_COMPLETE}|{_KEPT}|verified|finalized)"
_SO = r"(?:(?:now|just|all|also|already|officially|successfully|fully|safely|been)\ )*"
_WELL = r"(?:(?:all|and|so|but|ok|okay|great|hey|hi|please|now)\ )*"
# What Elivio keeps and completes. Of other things ("the file is saved") a tutor may well speak.
_OURS = (
    r"(?:it|this|that|everything|(?:the|this|your|that)\ (?:\w+\ )?(?:task|step|action|work"
    r"|progress|result|results|answer|answers|plan|status)|(?:your|the)\ (?:task|step)\ \d+)"
)
# "stored in the variable", "done by a force": of the subject matter, and not of Elivio.
_ELSEWHERE = r"\ (?:in|by|as)\ (?!(?:the|our)\ (?:system|database)\b|done\b|complete)"
_IS = r"(?:\ (?:is|are|was|were|has|have|got|gets|will\ be|counts\ as)|'s|'re)"
_ENGLISH = _language(
    claims=rf"""
    \b(?:I|we)\b(?:'ve|'ll|'m)?(?:\ (?!you\b|that\b|when\b|how\b|what\b|which\b)\w+){{0,4}}?
      \ (?:(?:marked|saved|stored|recorded|logged|submitted|verified|completed|finished|checked
      |ticked|closed|finalized|approved|accepted|noted)
      |(?:mark|save|record|marking|saving|recording|submitting))
      \ (?:(?:all|of|both|down|off)\ )*(?:{_OURS}|you\b|what\ you|as\ (?:{_COMPLETE}))
    | \b{_OURS}{_IS}\ {_SO}\W{{0,2}}{_DONE}\b(?!{_ELSEWHERE})
    | \b(?:you\ are|you're|we\ are|we're)\ {_SO}{_COMPLETE}\b(?!\ (?:with\ the|reading|writing))
    | ^\W*(?:mark(?:ed|ing)|saving|saved|recorded)\ {_SO}(?:{_OURS}|{_COMPLETE}|as\b)
    | \b(?:set|updated|changed|moved|switched|turned|see|shows?)\ (?:\w+\ ){{0,4}}?(?:as\ |to\ )?
      (?:the\ )?{_COMPLETE}\b(?!\ \w+s\b)
    | \b(?:task|step|action|status|progress|work)\ {_SO}(?:{_COMPLETE}|saved|closed)\b
      (?!{_ELSEWHERE})
    | \b(?:judge|check|staff)\ (?:has\ |have\ )?(?:accepted|approved)\b
    | \bclosed\ (?:the|this|your)\ (?:task|step)\b
    | \byou(?:'ve|\ have)?\ {_SO}(?:completed|finished)\ (?:{_OURS}|all)
    | \byou(?:'ve|\ have)?\ {_SO}passed(?:\ the\ (?:check|task|step))?\W*$
    | \b(?:the|your|completion)\ check\ {_SO}(?:has\ |is\ )?passed\b | ^\W*it\ passed\W*$
    | \b(?:requirements?|rows?|criteria|everything)\ (?:is|are|have\ been)\ {_SO}
      (?:met|fulfilled|satisfied)\b
    | \b(?:rows?|requirements?)\ met\W*$
    | \b(?:checked|ticked|crossed)\ (?:it|this|that|everything|the\ task)\ off\b
    | \b(?:consider|call)\ (?:it|this|that|the\ task)\ {_COMPLETE}\b
    | (?:^|\byou(?:'re|\ are)\ )\W*all\ set\W*$
    | ^\W*{_WELL}(?:{_COMPLETE}|saved|passed|mission\ accomplished)\W*$
    | ^\W*(?:progress|successfully)\ (?:saved|submitted|completed|recorded)\W*$
    """,
    open=r"""
    \b(?:not(?!\ to\ worry)|never|no(?!\ (?:worries|problem|need))|nothing|none|nobody|neither
      |nor|without|until|unless|once(?!\ you\ sent)|when|whenever|if(?!\ you\ look)|whether|before
      |as\ soon\ as|cannot|say|says|said|last\ time
      |(?:make|makes|making|be|being|are|not)\ sure)\b
    | (?<!do)n't\b | don't(?!\ (?:worry|think\ you\ need))\b
    """,
    asks=rf"""
    ^\W*{_WELL}
      (?:did|have|has|had|is|are|was|were|do|does|am|can\ you|could\ you|will|would\ you
        |where\ (?:is|are|was)|tell\ me)\b
      .{{0,60}}?\b(?:{_OURS}|you|my\ (?:\w+\ )?\w+)\b.{{0,40}}?
      \b(?:save|saved|saving|store|stored|mark|marked|record|recorded|kept|lost|safe
        |(?:checked|ticked)\ off)\b(?!\ (?:in\ a|the\ numbers|a\ macro|as\ [A-Z]))
    | ^\W*{_WELL}(?:is|are|am|was)[ ]
      (?:it|this|that|I|we|(?:my|the|this)\ (?:task|step|action|work|progress)|task\ \d+)[ ]
      {_SO}{_COMPLETE}\b
    | ^\W*{_WELL}(?:did|have|has)\ (?:I|we|it)\b.{{0,40}}\b(?:complet\w*|finish\w*|pass\w*)
      (?:\ (?:it|this|that|(?:the|my|this)\ (?:task|step|check))|\W*$)
    | ^\W*did\ the\ check\ pass\b
    | ^\W*{_WELL}(?:can|could|will|would)\ you\ (?:save|store|mark|record)
      \ (?:my|it|this|that|all)\b
    | ^\W*{_WELL}(?:{_COMPLETE}|saved|stored|marked)\s*\?
    | \b(?:it|this|that|everything)(?:'s|\ is)\ {_SO}(?:saved|stored|marked|{_COMPLETE})
      (?:\W+right)?\s*\?
    | \bwe\ are\ done\s*\?
    """,
)
_GERMAN = _language(
    claims=r"""
    \b(?:ich\ habe|habe\ ich)\ .{0,60}
      \b(?:gespeichert|abgehakt|markiert|abgeschlossen|erledigt|gesichert|eingetragen)\b
    | \bich\ (?:markiere|speichere|sichere)\ (?:es|das|dies\w*|die\ aufgabe|deine\w*)\b
    | \baufgabe\ (?:erledigt|fertig|abgeschlossen)\b
    | \b(?:es|das|alles|dies\w*|(?:die|deine|diese)\ (?:aufgabe|arbeit|prüfung)|dein\ fortschritt)
      \ (?:ist|sind|wurden?|gilt)\ (?:(?:jetzt|nun|schon|bereits|damit|hiermit|als|alles)\ )*
      (?:erledigt|fertig|abgeschlossen|gespeichert|gesichert|abgehakt|markiert|geprüft|bestanden)\b
    | \b(?:damit\ bist\ du|du\ bist)\ (?:(?:jetzt|nun|damit)\ )*fertig\b
    | \bdu\ hast\ die\ prüfung\ bestanden\b
    | \balle\ (?:anforderungen|zeilen|punkte)\ (?:sind\ )?erfüllt\b
    | ^\W*(?:alles\ )?(?:fertig|erledigt|gespeichert)\W*$
    """,
    open=r"\b(?:nicht|kein(?!e\ Sorge)\w*|nie|nichts|noch|wenn|falls|sobald|bis|bevor|ob|erst)\b",
    asks=r"""^\W*(?:hast\ du|habt\ ihr|habe?\ ich|ist|wurden?|bin\ ich)\b
      (?:\ (?:du|ich|es|das|alles|dies\w*|mein\w*|die\ aufgabe|fortschritt|arbeit|jetzt|schon))*
      \ (?:gespeichert|gesichert|abgehakt|markiert|erledigt|fertig|abgeschlossen|geschafft)\b""",
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
