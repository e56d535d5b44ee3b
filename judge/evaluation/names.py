"""Takes the names of known people out of a text, and every e-mail address. Pure.

It finds what a list of names can find; a person reads the text before anybody else does.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

NAME, ADDRESS = "[name]", "[e-mail]"
_ADDRESS = r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+"
# What the task's text sets apart as an exact value.
_QUOTED = re.compile('“([^“”\n]+)”|„([^„“”\n]+)[“”]|«([^«»\n]+)»|"([^"\n]+)"|`([^`\n]+)`')
# Parts of a name or login that name nobody alone.
_PARTICLES = re.compile(
    r"abu|admin|ait|am|an|as|at|be|bin|binti|by|class|contact|da|dal|das|de|del|della|den|"
    r"der|des|di|do|dos|du|er|es|go|he|hello|help|ibn|if|im|in|info|is|it|la|las|le|"
    r"lehrer|les|los|mail|me|my|no|of|office|on|or|post|school|schule|so|sri|staff|"
    r"student|students|support|teacher|team|ten|ter|test|the|to|tutor|un|und|up|us|user|"
    r"van|vom|von|we|y|zu|zum"
)
_SMALL_PARTICLES = re.compile("al|ben|el|mac|san")  # with a capital letter they are names
# Names that are words too: found only as they are written in the name, with the capital letter.
_WORDS = re.compile(
    r"april|art|baker|ball|banks|bell|berg|best|bill|bird|bishop|black|blau|brown|busch|"
    r"cash|chance|chase|clay|cliff|cook|cross|dale|dawn|day|dean|drew|earl|east|faith|"
    r"field|fields|fisher|ford|forest|fox|frank|free|good|grace|grant|gray|green|gross|"
    r"grove|guy|hall|hand|happy|hill|holly|hope|house|hunter|iris|jack|jasmine|joy|july|"
    r"june|jung|kind|king|klein|koch|lake|lance|lang|lily|long|love|lucky|major|mark|"
    r"marks|mason|max|may|meter|miles|mill|miller|moon|neu|page|park|parks|pearl|penny|"
    r"price|prince|queen|rain|ray|reed|rich|rob|robin|rock|rose|ruby|sage|sand|schneider|"
    r"schwarz|short|sky|small|sommer|star|stark|stein|stern|stone|storm|summer|sunny|"
    r"taylor|violet|walker|wall|ward|weaver|weber|weiss|west|will|wills|winter|wolf|wood|"
    r"woods|young"
)
_SHORT = 2  # letters; as a word that is a name too
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
    | {"Æ": "Ae", "Œ": "Oe", "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "Th"}
)
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}


def make_cleaner(people: Iterable[Any], task_text: str = "") -> Callable[[str], str]:
    """A function that replaces the people's names and logins, and every e-mail address. A value
    that the task's text quotes is kept, unless it is a name or holds a whole one."""
    people = list(people)
    whole = _join(name for person in people for name in _whole_names_of(person))
    parts = {part for person in people for part in _parts_of(person)}
    words = {part for part in parts if len(part) <= _SHORT or _matches(_WORDS, part)}
    any_case, as_written = _join(parts - words), _join(words)
    # Between letters only, with an s behind: "anna_notes", "Anna2" and "Annas" name Anna, and
    # "Hannah" does not.
    names = rf"(?<![^\W\d_])(?:(?i:{whole}|{any_case})|{as_written})(?=(?:['’]?s)?(?![^\W\d_]))"
    holds_whole = re.compile(rf"(?i:{whole})|{_ADDRESS}")
    quoted = {next(filter(None, found)) for found in _QUOTED.findall(task_text)}
    kept = [value for value in quoted if not _is_name(value, names, holds_whole)]
    pattern = re.compile(rf"(?P<kept>{_join(kept)})|(?P<address>{_ADDRESS})|{names}")

    def clean(found: re.Match[str]) -> str:
        return found[0] if found["kept"] else ADDRESS if found["address"] else NAME

    return lambda text: pattern.sub(clean, text)


def _is_name(value: str, names: str, holds_whole: re.Pattern[str]) -> bool:
    return bool(holds_whole.search(value)) or not re.sub(rf"{names}|\W", "", value)


def _whole_names_of(person: Any) -> set[str]:
    """The full name, however it is joined, the login, and what stands before the @ of an
    address when it is no single word."""
    first, last = person.first_name.split(), person.last_name.split()
    orders = (first + last, last + first) if first and last else ()
    full = {between.join(order) for order in orders for between in ("", ".", "_", " ")}
    addresses = {text for text in (person.username, person.email) if text}
    local = {text.partition("@")[0] for text in addresses}
    return full | addresses | {text for text in local if not text.isalpha()}


def _parts_of(person: Any) -> set[str]:
    """Each part of the name, and a login that is one word of its own."""
    parts = set(re.split(r"[\s-]+", f"{person.first_name} {person.last_name}"))
    logins = {text.partition("@")[0] for text in (person.username, person.email)}
    parts |= {login for login in logins if not _matches(_WORDS, login)}
    named = {part for part in parts if sum(map(str.isalpha, part)) >= _SHORT}
    return {
        part
        for part in named
        if not _matches(_PARTICLES, part) and not _SMALL_PARTICLES.fullmatch(part)
    }


def _matches(words: re.Pattern[str], part: str) -> bool:
    return words.fullmatch(part.casefold()) is not None


def _join(names: Iterable[str]) -> str:
    """An alternative of the names in every spelling, longest first; without any, of nothing."""
    spelled = {each for name in names for each in _spellings_of(name)}
    return "|".join(map(re.escape, sorted(spelled, key=len, reverse=True))) or r"(?!)"


def _spellings_of(name: str) -> set[str]:
    """The name composed and decomposed, without its accents, and with its umlauts written out or
    put back."""
    name = unicodedata.normalize("NFC", name)
    plain = unicodedata.normalize("NFD", name.translate(_LETTERS))
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    written_out = put_back = name
    for letter, written in _UMLAUTS.items():
        written_out = written_out.replace(letter, written)
        put_back = put_back.replace(written, letter) if letter in "äöüÄÖÜ" else put_back
    written_out = written_out.translate(_LETTERS)
    every = {name, unicodedata.normalize("NFD", name), plain, written_out, put_back}
    return every - {""}
