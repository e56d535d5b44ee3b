"""What is remembered, in three parts instead of one text, and a mark for what was deleted."""

import re

from django.db import migrations, models

LONGEST = 400
PARTS = {"made": "Made", "decided": "Decided", "left_open": "Left open"}
_HEAD = re.compile(r"\ATask “.*” \((?:completed|not completed yet) when the session ended\)\.\n?")


def split_text(text):
    """The parts of a text that was rendered from three; what has no label was made."""
    rest = _HEAD.sub("", text)
    found = dict.fromkeys(PARTS, "")
    labels = "|".join(PARTS.values())
    for name, label in PARTS.items():
        match = re.search(
            rf"^{label}: (.*?)(?=\n(?:{labels}): |\Z)", rest, re.DOTALL | re.MULTILINE
        )
        found[name] = match[1].strip()[:LONGEST] if match else ""
    if not any(found.values()):
        found["made"] = rest.strip()[:LONGEST]
    return found


def join_parts(memory):
    named = ((label, getattr(memory, name)) for name, label in PARTS.items())
    return "\n".join(f"{label}: {words}" for label, words in named if words)


def split_all(apps, schema_editor):
    model = apps.get_model("copilot_sessions", "MemorySummary")
    for memory in model.objects.exclude(text="").iterator():
        model.objects.filter(pk=memory.pk).update(**split_text(memory.text))


def join_all(apps, schema_editor):
    model = apps.get_model("copilot_sessions", "MemorySummary")
    for memory in model.objects.iterator():
        model.objects.filter(pk=memory.pk).update(text=join_parts(memory))


def add_part(name):
    return migrations.AddField(
        model_name="memorysummary",
        name=name,
        field=models.CharField(blank=True, default="", max_length=LONGEST),
        preserve_default=False,
    )


class Migration(migrations.Migration):
    dependencies = [("copilot_sessions", "0004_talk")]

    operations = [
        *(add_part(name) for name in PARTS),
        migrations.AddField(
            model_name="memorysummary",
            name="deleted_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        # A default, so that going back finds a value for each row.
        migrations.AlterField(
            model_name="memorysummary", name="text", field=models.TextField(default="")
        ),
        migrations.RunPython(split_all, join_all),
        migrations.RemoveField(model_name="memorysummary", name="text"),
        migrations.AddConstraint(
            model_name="memorysummary",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("deleted_at", None),
                    models.Q(("decided", ""), ("left_open", ""), ("made", "")),
                    _connector="OR",
                ),
                name="deleted_memory_is_blank",
            ),
        ),
    ]
