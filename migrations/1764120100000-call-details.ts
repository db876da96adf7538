import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What was decided and said about a call stands apart from the row that its moves write, in partitions by month. Calls of before keep
 * theirs on the row. The months are made by the function `make_call_month`, as there is need of them.
 */
export class CallDetails1764120100000 implements MigrationInterface {
  name = 'CallDetails1764120100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(CALL_DETAILS);
    await db.query(FORGET_ERASED);
    await db.query('GRANT SELECT, INSERT, UPDATE ON call_details TO outdial_app');
    // It gives one more column; a process of the version before does without it.
    await db.query(`DROP FUNCTION IF EXISTS remove_ended_calls`);
  }

  /** The calls get their details back, as the version before reads them. */
  async down(db: QueryRunner): Promise<void> {
    for (;;) {
      const [moved] = (await db.query(MOVE_BACK)) as { calls: number }[];
      if ((moved?.calls ?? 0) === 0) break;
    }
    await db.query(
      `DROP TRIGGER forget_details_of_erased_call ON call_requests;
       DROP FUNCTION forget_details_of_erased_call;
       DROP FUNCTION IF EXISTS ${FUNCTIONS.join(', ')};
       DROP TABLE IF EXISTS call_details`,
    );
  }
}

const CALL_DETAILS = `
  CREATE TABLE IF NOT EXISTS call_details (
    id uuid NOT NULL,
    generation integer NOT NULL,
    team_id uuid NOT NULL,
    decision jsonb,
    prompt text,
    first_message text,
    variables jsonb,
    CONSTRAINT pk_call_details PRIMARY KEY (id, generation)
  ) PARTITION BY RANGE (id)`;

/**
 * The details of a call whose contact was erased: what was said goes as soon as its carrier is done with it, and the evidence of decisions
 * at once. A trigger, so that erasures by a process of the version before do it, too, and the statements of moves have nothing of it in
 * their plans.
 */
const FORGET_ERASED = `
  CREATE FUNCTION forget_details_of_erased_call() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    talks boolean := NEW.status IN ('dialing', 'in_progress');
  BEGIN
    UPDATE call_details d SET
      decision = CASE WHEN jsonb_typeof(d.decision -> 'rules') = 'array'
        THEN d.decision || jsonb_build_object('rules', (
          SELECT coalesce(jsonb_agg(rules.rule || '{"evidence": {"erased": true}}' ORDER BY rules.n), '[]')
          FROM jsonb_array_elements(d.decision -> 'rules') WITH ORDINALITY AS rules (rule, n)))
        ELSE d.decision END,
      prompt = CASE WHEN talks AND d.generation = NEW.generation THEN d.prompt END,
      first_message = CASE WHEN talks AND d.generation = NEW.generation THEN d.first_message END,
      variables = CASE WHEN talks AND d.generation = NEW.generation THEN d.variables END
    WHERE d.id = NEW.id;
    RETURN NULL;
  END $$;
  REVOKE EXECUTE ON FUNCTION forget_details_of_erased_call FROM PUBLIC;
  CREATE TRIGGER forget_details_of_erased_call AFTER UPDATE OF phone_number, status ON call_requests
    FOR EACH ROW WHEN (starts_with(NEW.phone_number, 'erased:')) EXECUTE FUNCTION forget_details_of_erased_call()`;

/** Repeatable functions that know the table. */
const FUNCTIONS = [
  ...['call_clock', 'make_call_month', 'make_call_months', 'drop_old_call_month', 'least_call_id'],
  'remove_ended_calls',
];

/** A batch of calls; what is moved is not found again. */
const MOVE_BACK = `
  WITH batch AS MATERIALIZED (
    SELECT DISTINCT id FROM (SELECT id FROM call_details ORDER BY id LIMIT 1000) d
  ), gone AS (
    DELETE FROM call_details d WHERE d.id = ANY (ARRAY(SELECT batch.id FROM batch)) RETURNING d.*
  ), said AS (
    SELECT gone.id, jsonb_agg(gone.decision ORDER BY gone.generation) FILTER (WHERE gone.decision IS NOT NULL) AS decisions
    FROM gone GROUP BY gone.id
  ), moved AS (
    UPDATE call_requests r SET
      decisions = coalesce(said.decisions, '[]') || r.decisions,
      prompt = coalesce(r.prompt, dial.prompt), first_message = coalesce(r.first_message, dial.first_message),
      variables = CASE WHEN r.variables = '{}' THEN coalesce(dial.variables, '{}') ELSE r.variables END
    FROM said
    LEFT JOIN call_requests own ON own.id = said.id
    LEFT JOIN gone dial ON dial.id = own.id AND dial.generation = own.generation
    WHERE r.id = said.id
  )
  SELECT count(*)::integer AS calls FROM batch`;
