"""Untrusted text as the judge of tasks is shown it: the marks are those of its prompt."""

from elivio.untrusted import make_neutraliser

neutralise = make_neutraliser(("transcript", "turn", "task", "frame"))
