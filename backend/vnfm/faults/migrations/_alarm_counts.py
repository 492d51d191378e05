"""The statement triggers that maintain `AlarmCount`, for the migration that creates its table."""

CREATE = """
CREATE FUNCTION faults_alarm_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO faults_alarmcount (managed_object_type, managed_object_id, severity, step)
        SELECT managed_object_type, managed_object_id, perceived_severity, count(*) FROM after_rows
        WHERE cleared_at IS NULL AND suppression = '' GROUP BY 1, 2, 3;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO faults_alarmcount (managed_object_type, managed_object_id, severity, step)
        SELECT managed_object_type, managed_object_id, perceived_severity, -count(*) FROM before_rows
        WHERE cleared_at IS NULL AND suppression = '' GROUP BY 1, 2, 3;
    ELSE
        INSERT INTO faults_alarmcount (managed_object_type, managed_object_id, severity, step)
        SELECT managed_object_type, managed_object_id, perceived_severity, sum(step) FROM (
            SELECT managed_object_type, managed_object_id, perceived_severity, 1 AS step FROM after_rows
            WHERE cleared_at IS NULL AND suppression = ''
            UNION ALL
            SELECT managed_object_type, managed_object_id, perceived_severity, -1 FROM before_rows
            WHERE cleared_at IS NULL AND suppression = ''
        ) AS steps GROUP BY 1, 2, 3 HAVING sum(step) <> 0;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER alarm_count_insert AFTER INSERT ON faults_alarm REFERENCING NEW TABLE AS after_rows
    FOR EACH STATEMENT EXECUTE FUNCTION faults_alarm_count();
CREATE TRIGGER alarm_count_update AFTER UPDATE ON faults_alarm
    REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
    FOR EACH STATEMENT EXECUTE FUNCTION faults_alarm_count();
CREATE TRIGGER alarm_count_delete AFTER DELETE ON faults_alarm REFERENCING OLD TABLE AS before_rows
    FOR EACH STATEMENT EXECUTE FUNCTION faults_alarm_count();
"""

DROP = """
DROP TRIGGER alarm_count_insert ON faults_alarm;
DROP TRIGGER alarm_count_update ON faults_alarm;
DROP TRIGGER alarm_count_delete ON faults_alarm;
DROP FUNCTION faults_alarm_count();
"""
