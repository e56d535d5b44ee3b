"""A CheckRun is neither changed nor deleted; an Erasure lets the words in it be blanked."""

from django.db import migrations

DO = """
CREATE FUNCTION judge_checkrun_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    words text[] := ARRAY['request', 'replies', 'checklist', 'summary'];
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'a check run is audit: it is not deleted' USING ERRCODE = 'check_violation';
    END IF;
    IF (to_jsonb(NEW) - words) IS DISTINCT FROM (to_jsonb(OLD) - words)
        OR NEW.request NOT IN (OLD.request, '{}') OR NEW.replies NOT IN (OLD.replies, '[]')
        OR NEW.summary NOT IN (OLD.summary, '')
        OR NEW.checklist NOT IN (OLD.checklist, plans_blank_checklist(OLD.checklist))
        OR NOT EXISTS (SELECT 1 FROM plans_erasure WHERE person_id = OLD.student_id)
    THEN
        RAISE EXCEPTION 'a check run is audit: only an erasure blanks the words in it'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER checkrun_unchanged BEFORE UPDATE OR DELETE ON judge_checkrun
    FOR EACH ROW EXECUTE FUNCTION judge_checkrun_unchanged();
"""

UNDO = """
DROP TRIGGER checkrun_unchanged ON judge_checkrun;
DROP FUNCTION judge_checkrun_unchanged();
"""


class Migration(migrations.Migration):
    dependencies = [("judge", "0001_initial"), ("plans", "0002_refusals")]

    operations = [migrations.RunSQL(DO, UNDO)]
