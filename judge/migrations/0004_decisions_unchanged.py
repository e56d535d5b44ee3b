"""A RowDecision is a fact; and an erasure blanks a check run's evidence too."""

from django.db import migrations

REFUSE = """
CREATE TRIGGER rowdecision_unchanged BEFORE UPDATE OR DELETE ON judge_rowdecision
    FOR EACH ROW EXECUTE FUNCTION plans_fact_unchanged();
"""

UNCHANGED = """
CREATE OR REPLACE FUNCTION judge_checkrun_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    words text[] := ARRAY[{words}];
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'a check run is audit: it is not deleted' USING ERRCODE = 'check_violation';
    END IF;
    IF (to_jsonb(NEW) - words) IS DISTINCT FROM (to_jsonb(OLD) - words)
        {evidence}OR NEW.request NOT IN (OLD.request, '{{}}')
        OR NEW.replies NOT IN (OLD.replies, '[]')
        OR NEW.summary NOT IN (OLD.summary, '')
        OR NEW.checklist NOT IN (OLD.checklist, plans_blank_checklist(OLD.checklist))
        OR NOT EXISTS (SELECT 1 FROM plans_erasure WHERE person_id = OLD.student_id)
    THEN
        RAISE EXCEPTION 'a check run is audit: only an erasure blanks the words in it'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
"""
BEFORE = UNCHANGED.format(words="'request', 'replies', 'checklist', 'summary'", evidence="")
AFTER = UNCHANGED.format(
    words="'evidence', 'request', 'replies', 'checklist', 'summary'",
    evidence="OR NEW.evidence NOT IN (OLD.evidence, '{}')\n        ",
)


class Migration(migrations.Migration):
    dependencies = [("judge", "0003_appeals_decided"), ("plans", "0002_refusals")]

    operations = [
        migrations.RunSQL(
            REFUSE + AFTER, "DROP TRIGGER rowdecision_unchanged ON judge_rowdecision;" + BEFORE
        )
    ]
