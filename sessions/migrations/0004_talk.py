"""How a reply came about: stopped by the student, being asked for now, or why there is none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("copilot_sessions", "0003_tap_cancelled")]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="is_stopped",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name="turn",
            name="tries",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="turn",
            name="asked_until",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="turn",
            name="no_reply_reason",
            field=models.CharField(blank=True, editable=False, max_length=32),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                condition=models.Q(("no_reply_reason", ""), _negated=True),
                fields=["no_reply_reason"],
                name="turn_no_reply",
            ),
        ),
    ]
