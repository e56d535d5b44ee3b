"""When a check was started. Those from before count as started when they were written.

A change of type rewrites the table and fires no row trigger, so that the rule that a check run
is never changed holds in here too.
"""

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

FILL = """
ALTER TABLE judge_checkrun
    ALTER COLUMN started_at TYPE timestamptz USING COALESCE(started_at, created_at);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("judge", "0004_decisions_unchanged"),
        ("plans", "0002_refusals"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="checkrun",
            name="started_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="checkrun",
            name="started_at",
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
        ),
        migrations.RemoveIndex(model_name="checkrun", name="judge_check_action__469332_idx"),
        migrations.AddIndex(
            model_name="checkrun",
            index=models.Index(
                fields=["action", "-started_at"], name="judge_check_action__87173e_idx"
            ),
        ),
    ]
