-- Removes the details of a call whose contact was erased. The evidence of its decisions is removed at once.
-- Its prompts and variables are removed as soon as its carrier has finished the call. It is a
-- trigger, which keeps the plans of transitions free of this work.
CREATE OR REPLACE FUNCTION forget_details_of_erased_call()
  RETURNS trigger
  LANGUAGE plpgsql
AS $$
  DECLARE
    talks boolean := NEW.status IN ('dialing', 'in_progress');
  BEGIN
    UPDATE call_details d SET
      decision = (CASE WHEN jsonb_typeof(d.decision -> 'rules') = 'array'
        THEN d.decision || jsonb_build_object('rules', (
          SELECT coalesce(jsonb_agg(rules.rule || '{"evidence": {"erased": true}}' ORDER BY rules.n), '[]')
          FROM jsonb_array_elements(d.decision -> 'rules') WITH ORDINALITY AS rules (rule, n)))
        ELSE d.decision END) #- '{compliance,evidence}' #- '{compliance,facts}',
      prompt = CASE WHEN talks AND d.generation = NEW.generation THEN d.prompt END,
      first_message = CASE WHEN talks AND d.generation = NEW.generation THEN d.first_message END,
      variables = CASE WHEN talks AND d.generation = NEW.generation THEN d.variables END
    WHERE d.id = NEW.id;
    RETURN NULL;
  END $$;
