import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createFunctions } from '../src/database/repeatable.js';

/**
 * The decisions, prompts and variables of a call, in a table apart from the row that each transition writes.
 * It is partitioned by month; the function `make_call_month` creates the partitions as they are needed.
 * Existing calls keep their details on their row.
 */
export class CallDetails1764120100000 implements MigrationInterface {
  name = 'CallDetails1764120100000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(CALL_DETAILS);
    await createFunctions(db, ['forget_details_of_erased_call']);
    await db.query(FORGET_ERASED);
    await db.query('GRANT SELECT, INSERT, UPDATE ON call_details TO outdial_app');
    // It returns one more column now. A process of the version before runs without it.
    await db.query(`DROP FUNCTION IF EXISTS remove_ended_calls`);
  }

  /** Moves the details back to the rows of their calls, where the version before reads them. */
  async down(db: QueryRunner): Promise<void> {
    for (;;) {
      const [moved] = (await db.query(MOVE_BACK)) as { calls: number }[];
      if ((moved?.calls ?? 0) === 0) break;
    }
    await db.query(
      `DROP TRIGGER forget_details_of_erased_call ON call_requests;
       DROP FUNCTION IF EXISTS forget_details_of_erased_call, ${FUNCTIONS.join(', ')};
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

const FORGET_ERASED = `
  CREATE TRIGGER forget_details_of_erased_call AFTER UPDATE OF phone_number, status ON call_requests
    FOR EACH ROW WHEN (starts_with(NEW.phone_number, 'erased:')) EXECUTE FUNCTION forget_details_of_erased_call()`;

/** Repeatable functions that read or write the table. */
const FUNCTIONS = [
  'call_clock',
  'make_call_month',
  'make_call_months',
  'drop_old_call_month',
  'least_call_id',
  'remove_ended_calls',
];

/** Moves the details of a batch of calls and deletes them here, so that the next batch holds other calls. */
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
