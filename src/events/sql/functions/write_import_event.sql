-- The event of an import that ended, in any way. Its data is the import as the list shows it.
CREATE OR REPLACE FUNCTION write_import_event()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN
    PERFORM add_event(NEW.team_id, 'import.finished', NULL, jsonb_build_object(
      'importId', NEW.id, 'status', NEW.status, 'type', NEW.type, 'mode', NEW.mode, 'campaignId', NEW.campaign_id, 'versionId', NEW.version_id,
      'rows', NEW.rows, 'created', NEW.created, 'updated', NEW.updated, 'enrolled', NEW.enrolled, 'failed', NEW.failed,
      'warned', NEW.warned, 'withoutTimezone', NEW.without_timezone, 'repeatedNumbers', NEW.repeated_numbers, 'countries', NEW.countries,
      'error', NEW.error, 'createdAt', to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'finishedAt', to_char(NEW.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
    RETURN NULL;
  END $$;
