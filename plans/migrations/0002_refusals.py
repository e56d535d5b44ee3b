"""What the database refuses on its own, whoever asks: ORM, bulk writes, raw SQL, admin, loaddata.

- COMPLETED without a current Completion of this very action, and the reverse;
- a `checked` Completion whose checklist is empty, has an unmet row, misses a requirement, or was
  judged on another spec version; a Completion confirmed by anybody but the plan's owner;
- a Completion left current without a Reopening, or reopened and still current;
- changing or deleting a Completion, Reopening or Erasure (an Erasure lets the words in a
  checklist be blanked, nothing else).
It also numbers the completions of an action and raises an action's spec version.
"""

from django.db import migrations

COMPOSITE_KEY = """
ALTER TABLE plans_action ADD CONSTRAINT current_completion_of_this_action
    FOREIGN KEY (current_completion_id, id) REFERENCES plans_completion (id, action_id);
"""

CHECKLIST = """
-- IMMUTABLE and total: anything that is not a list of objects, each with status "met", is false.
CREATE FUNCTION plans_all_met(checklist jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN jsonb_typeof(checklist) = 'array' THEN
        jsonb_array_length(checklist) > 0
        AND jsonb_array_length(checklist) = jsonb_array_length(
            jsonb_path_query_array(checklist, 'strict $[*] ? (@.status == "met")'))
    ELSE false END
$$;
ALTER TABLE plans_completion ADD CONSTRAINT checked_has_every_row_met CHECK (
    CASE WHEN how = 'checked' THEN plans_all_met(checklist) ELSE checklist = '[]'::jsonb END);
"""

COMPLETION_INSERT = """
CREATE FUNCTION plans_completion_insert() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    action_version integer;
    plan_owner integer;
BEGIN
    SELECT a.spec_version, p.owner_id INTO action_version, plan_owner
        FROM plans_action a JOIN plans_week w ON w.id = a.week_id
        JOIN plans_plan p ON p.id = w.plan_id WHERE a.id = NEW.action_id;
    IF NEW.spec_version IS DISTINCT FROM action_version THEN
        RAISE EXCEPTION 'a completion is bound to the action''s spec version'
            USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.confirmed_by_id IS DISTINCT FROM plan_owner THEN
        RAISE EXCEPTION 'only the owner of the plan confirms a completion'
            USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.how = 'checked' AND EXISTS (
        SELECT 1 FROM plans_requirement r WHERE r.action_id = NEW.action_id
        AND NOT NEW.checklist @> jsonb_build_array(jsonb_build_object('id', r.id::text)))
    THEN
        RAISE EXCEPTION 'a checked completion holds every requirement of its action'
            USING ERRCODE = 'check_violation';
    END IF;
    NEW.sequence := 1 + (
        SELECT count(*) FROM plans_reopening r JOIN plans_completion c ON c.id = r.completion_id
        WHERE c.action_id = NEW.action_id);
    RETURN NEW;
END $$;
CREATE TRIGGER completion_insert BEFORE INSERT ON plans_completion
    FOR EACH ROW EXECUTE FUNCTION plans_completion_insert();
"""

CURRENT = """
CREATE FUNCTION plans_completion_current() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    completion uuid;
    is_current boolean;
    is_reopened boolean;
BEGIN
    IF TG_TABLE_NAME = 'plans_completion' THEN completion := NEW.id;
    ELSE completion := NEW.completion_id; END IF;
    is_current := EXISTS (SELECT 1 FROM plans_action WHERE current_completion_id = completion);
    is_reopened := EXISTS (SELECT 1 FROM plans_reopening WHERE completion_id = completion);
    IF is_current = is_reopened THEN
        RAISE EXCEPTION 'a completion is the current one of its action, or reopened'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER completion_is_current AFTER INSERT ON plans_completion
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION plans_completion_current();
CREATE CONSTRAINT TRIGGER reopened_is_not_current AFTER INSERT ON plans_reopening
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION plans_completion_current();
"""

ACTION_UPDATE = """
CREATE FUNCTION plans_action_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.current_completion_id IS DISTINCT FROM OLD.current_completion_id THEN
        IF OLD.current_completion_id IS NOT NULL AND (NEW.current_completion_id IS NOT NULL
            OR NOT EXISTS (SELECT 1 FROM plans_reopening
                           WHERE completion_id = OLD.current_completion_id))
        THEN
            RAISE EXCEPTION 'a completed action reopens only with a reopening'
                USING ERRCODE = 'check_violation';
        END IF;
        IF EXISTS (SELECT 1 FROM plans_reopening WHERE completion_id = NEW.current_completion_id)
        THEN
            RAISE EXCEPTION 'a reopened completion is never current again'
                USING ERRCODE = 'check_violation';
        END IF;
    END IF;
    -- The spec version only ever rises, and it rises when the text does. A stale save() of the
    -- whole row cannot lower it.
    NEW.spec_version := GREATEST(NEW.spec_version, OLD.spec_version);
    IF (NEW.title, NEW.description, NEW.week_id) IS DISTINCT FROM
       (OLD.title, OLD.description, OLD.week_id)
    THEN
        NEW.spec_version := OLD.spec_version + 1;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER action_update BEFORE UPDATE ON plans_action
    FOR EACH ROW EXECUTE FUNCTION plans_action_update();
"""

SPEC_VERSION = """
CREATE FUNCTION plans_requirement_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        UPDATE plans_action SET spec_version = spec_version + 1 WHERE id = OLD.action_id;
    END IF;
    IF TG_OP = 'INSERT' OR NEW.action_id IS DISTINCT FROM OLD.action_id THEN
        UPDATE plans_action SET spec_version = spec_version + 1 WHERE id = NEW.action_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER requirement_added_or_removed AFTER INSERT OR DELETE ON plans_requirement
    FOR EACH ROW EXECUTE FUNCTION plans_requirement_changed();
CREATE TRIGGER requirement_changed AFTER UPDATE ON plans_requirement
    FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION plans_requirement_changed();

CREATE FUNCTION plans_week_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE plans_action SET spec_version = spec_version + 1 WHERE week_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER week_changed AFTER UPDATE ON plans_week FOR EACH ROW
    WHEN ((OLD.number, OLD.title, OLD.description) IS DISTINCT FROM
          (NEW.number, NEW.title, NEW.description))
    EXECUTE FUNCTION plans_week_changed();
"""

FACTS = """
CREATE FUNCTION plans_fact_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a row of % is a fact: it is neither changed nor deleted', TG_TABLE_NAME
        USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER reopening_unchanged BEFORE UPDATE OR DELETE ON plans_reopening
    FOR EACH ROW EXECUTE FUNCTION plans_fact_unchanged();
CREATE TRIGGER erasure_unchanged BEFORE UPDATE OR DELETE ON plans_erasure
    FOR EACH ROW EXECUTE FUNCTION plans_fact_unchanged();
CREATE TRIGGER completion_undeleted BEFORE DELETE ON plans_completion
    FOR EACH ROW EXECUTE FUNCTION plans_fact_unchanged();

-- A checklist without its words: ids, titles and statuses stay.
CREATE FUNCTION plans_blank_checklist(checklist jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_agg(item || '{"note": "", "evidence": []}' ORDER BY place), '[]')
    FROM jsonb_array_elements(checklist) WITH ORDINALITY AS rows (item, place)
$$;
CREATE FUNCTION plans_completion_erasable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (to_jsonb(NEW) - 'checklist') IS DISTINCT FROM (to_jsonb(OLD) - 'checklist')
        OR NEW.checklist NOT IN (OLD.checklist, plans_blank_checklist(OLD.checklist))
        OR NOT EXISTS (SELECT 1 FROM plans_erasure WHERE person_id = OLD.confirmed_by_id)
    THEN
        RAISE EXCEPTION 'a completion is a fact: only an erasure blanks the words in it'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER completion_unchanged BEFORE UPDATE ON plans_completion
    FOR EACH ROW EXECUTE FUNCTION plans_completion_erasable();
"""

UNDO = """
DROP TRIGGER completion_insert ON plans_completion;
DROP TRIGGER completion_is_current ON plans_completion;
DROP TRIGGER completion_undeleted ON plans_completion;
DROP TRIGGER completion_unchanged ON plans_completion;
DROP TRIGGER reopened_is_not_current ON plans_reopening;
DROP TRIGGER reopening_unchanged ON plans_reopening;
DROP TRIGGER erasure_unchanged ON plans_erasure;
DROP TRIGGER action_update ON plans_action;
DROP TRIGGER requirement_added_or_removed ON plans_requirement;
DROP TRIGGER requirement_changed ON plans_requirement;
DROP TRIGGER week_changed ON plans_week;
ALTER TABLE plans_completion DROP CONSTRAINT checked_has_every_row_met;
ALTER TABLE plans_action DROP CONSTRAINT current_completion_of_this_action;
DROP FUNCTION plans_all_met(jsonb);
DROP FUNCTION plans_completion_insert();
DROP FUNCTION plans_completion_current();
DROP FUNCTION plans_action_update();
DROP FUNCTION plans_requirement_changed();
DROP FUNCTION plans_week_changed();
DROP FUNCTION plans_fact_unchanged();
DROP FUNCTION plans_completion_erasable();
DROP FUNCTION plans_blank_checklist(jsonb);
"""


class Migration(migrations.Migration):
    dependencies = [("plans", "0001_initial")]

    operations = [
        migrations.RunSQL(
            "".join(
                (
                    COMPOSITE_KEY,
                    CHECKLIST,
                    COMPLETION_INSERT,
                    CURRENT,
                    ACTION_UPDATE,
                    SPEC_VERSION,
                    FACTS,
                )
            ),
            UNDO,
        )
    ]
