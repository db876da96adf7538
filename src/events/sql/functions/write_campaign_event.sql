-- The event of a campaign that was paused or resumed.
CREATE OR REPLACE FUNCTION write_campaign_event()
  RETURNS trigger
  LANGUAGE plpgsql
  SECURITY DEFINER
AS $$ BEGIN
    PERFORM add_event(NEW.team_id, CASE NEW.status WHEN 'paused' THEN 'campaign.paused' ELSE 'campaign.resumed' END, NULL,
      jsonb_build_object('id', NEW.id, 'name', NEW.name, 'status', NEW.status, 'current_version_id', NEW.current_version_id,
        'draft_version_id', (SELECT v.id FROM campaign_versions v WHERE v.campaign_id = NEW.id AND v.status = 'draft'),
        'pacing', NEW.pacing, 'reentry', NEW.reentry, 'purpose', NEW.purpose, 'created_at', NEW.created_at));
    RETURN NULL;
  END $$;
