"""A message split into words and pasted blocks, for showing; the stored text stays as sent."""

import re
from dataclasses import dataclass

_FENCE = re.compile(
    r"^[ \t]*```[^\n`]*\n(.*?)(?:^[ \t]*```[ \t]*$\n?|\Z)", re.DOTALL | re.MULTILINE
)
# A line that nobody types as a sentence: columns, indents, rulers, statements, prompts, tags.
_PASTED = re.compile(
    r"""\t | \|.*\S | ^\ {2,}\S | ^[-+=|\s]{4,}$ | [;{}]\s*$ | ^[^,\s]*(,[^,\s]+){2,},?$
    | ^(\$|>>>|\#include|\#!|//|<[a-zA-Z/!])
    | ^(select|insert|update|delete|create|from|where|group\ by|order\ by|def|class|import|return)\s
    | ^\S+\ =\ \S""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a message. `is_pasted`: show it as it stands, in even columns."""

    text: str
    is_pasted: bool


def split_blocks(text: str) -> list[Block]:
    """Fenced parts, and runs of two or more lines that look like a table or code, are pasted."""
    blocks: list[Block] = []
    end = 0
    text = text.replace("\r\n", "\n")
    for fence in _FENCE.finditer(text):
        blocks += _split_lines(text[end : fence.start()])
        blocks.append(Block(fence.group(1), True))
        end = fence.end()
    blocks += _split_lines(text[end:])
    shown = (Block(block.text.strip("\n").rstrip(), block.is_pasted) for block in blocks)
    return [block for block in shown if block.text.strip()]


def _split_lines(text: str) -> list[Block]:
    lines = text.split("\n")
    blocks: list[Block] = []
    start = place = 0
    while place < len(lines):
        stop = _end_of_run(lines, place)
        if stop - place < 2:
            place = max(stop, place + 1)
            continue
        blocks.append(Block("\n".join(lines[start:place]), False))
        blocks.append(Block("\n".join(lines[place:stop]), True))
        start = place = stop
    return [*blocks, Block("\n".join(lines[start:]), False)]


def _end_of_run(lines: list[str], start: int) -> int:
    """Where the pasted lines that begin at `start` end."""
    stop = start
    while stop < len(lines) and _PASTED.search(lines[stop]):
        stop += 1
    return stop
