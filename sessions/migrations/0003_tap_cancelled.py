from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("copilot_sessions", "0002_marked_work")]

    operations = [
        migrations.AddField(
            model_name="copilotsession",
            name="cancelled_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
