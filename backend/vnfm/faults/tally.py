"""The statement triggers that keep `AlarmTally`, for the migration that makes its table."""

INSTALL = """
CREATE FUNCTION faults_alarm_tally() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO faults_alarmtally (managed_object_type, managed_object_id, severity, step)
        SELECT managed_object_type, managed_object_id, perceived_severity, count(*) FROM after_rows
        WHERE cleared_at IS NULL AND silence = '' GROUP BY 1, 2, 3;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO faults_alarmtally (managed_object_type, managed_object_id, severity, step)
        SELECT managed_object_type, managed_object_id, perceived_severity, -count(*) FROM before_rows
        WHERE cleared_at IS NULL AND silence = '' GROUP BY 1, 2, 3;
    ELSE
        INSERT INTO faults_alarmtally (managed_object_type, managed_object_id, severity, step)
        SELECT managed_object_type, managed_object_id, perceived_severity, sum(step) FROM (
            SELECT managed_object_type, managed_object_id, perceived_severity, 1 AS step FROM after_rows
            WHERE cleared_at IS NULL AND silence = ''
            UNION ALL
            SELECT managed_object_type, managed_object_id, perceived_severity, -1 FROM before_rows
            WHERE cleared_at IS NULL AND silence = ''
        ) AS steps GROUP BY 1, 2, 3 HAVING sum(step) <> 0;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER alarm_tally_insert AFTER INSERT ON faults_alarm REFERENCING NEW TABLE AS after_rows
    FOR EACH STATEMENT EXECUTE FUNCTION faults_alarm_tally();
CREATE TRIGGER alarm_tally_update AFTER UPDATE ON faults_alarm
    REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
    FOR EACH STATEMENT EXECUTE FUNCTION faults_alarm_tally();
CREATE TRIGGER alarm_tally_delete AFTER DELETE ON faults_alarm REFERENCING OLD TABLE AS before_rows
    FOR EACH STATEMENT EXECUTE FUNCTION faults_alarm_tally();
"""

REMOVE = """
DROP TRIGGER alarm_tally_insert ON faults_alarm;
DROP TRIGGER alarm_tally_update ON faults_alarm;
DROP TRIGGER alarm_tally_delete ON faults_alarm;
DROP FUNCTION faults_alarm_tally();
"""
