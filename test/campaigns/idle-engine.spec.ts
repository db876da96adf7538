import { buildCaller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { PlayedCampaign, runDue } from './support/played-campaign.js';

const WAITING = 20_000;
const RUNS = 10;

const calling = Calling.ofFile();

async function rowsRead(): Promise<number> {
  const [row] = await calling.db.query<{ rows: number }[]>(
    `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS rows FROM pg_stat_user_tables WHERE relname = 'enrollments'`,
  );
  return row?.rows ?? 0;
}

test('a run of the engine without due enrollments reads none, however many wait or are paused', async () => {
  const worker = await calling.startIdleWorker();
  const caller = await buildCaller(calling.db);
  for (const waitingFor of ['retry', 'paused']) {
    const campaign = await PlayedCampaign.build(
      calling,
      caller,
      { steps: [{ key: 'first', after: 'P30D' }] },
      { status: waitingFor === 'paused' ? 'paused' : 'active' },
    );
    await calling.db.query(
      `WITH contact AS (
         INSERT INTO contacts (team_id, phone_number)
         SELECT $1, '+1' || $4 || 2000000 + n FROM generate_series(1, $5::integer) AS n RETURNING id
       )
       INSERT INTO enrollments (team_id, campaign_id, version_id, contact_id, waiting_for, look_at)
       SELECT $1, $2, $3, id, $6, now() + interval '1 day' FROM contact`,
      [
        caller.teamId,
        campaign.id,
        campaign.versionId,
        waitingFor === 'paused' ? '212' : '646',
        WAITING,
        waitingFor,
      ],
    );
  }
  await runDue(worker.app);
  const before = await rowsRead();
  for (let run = 0; run < RUNS; run += 1) expect(await runDue(worker.app)).toBe(0);
  await calling.db.query('SELECT pg_stat_force_next_flush()');
  // Connections tell what they have read when they are idle for a while, or end.
  await worker.app.close();
  expect((await rowsRead()) - before).toBeLessThan(100);
});
