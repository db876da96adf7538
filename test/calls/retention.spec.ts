import { RetentionService } from '../../src/calls/recovery/retention.service.js';
import { fresh, grown } from '../operations/samples.js';
import { buildCampaign, buildContact, buildEnrollment, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import {
  buildProcessedCall,
  buildStoredCall,
  contactIdOf,
  daysAgo,
  endedAgo,
} from '../support/number-history.js';

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();
let retention: RetentionService;

beforeAll(() => {
  retention = worker.app.get(RetentionService);
});
beforeEach(() => moveClock(calling.db, '0'));

const removeCalls = () => retention.removeCalls(new AbortController().signal);

/** Those of these calls that are still there, by their names. */
async function kept<Name extends string>(ids: Record<Name, string>): Promise<Name[]> {
  const rows = await calling.db.query<{ id: string }[]>('SELECT id FROM call_requests WHERE id = ANY($1)', [
    Object.values(ids),
  ]);
  const found = new Set(rows.map(({ id }) => id));
  return (Object.keys(ids) as Name[]).filter((name) => found.has(ids[name]));
}

describe('the retention removes', () => {
  test('calls that ended before the days of their team, or of the platform', async () => {
    const [own, platform, forever] = [
      await buildCaller(calling.db, { call_retention_days: 60 }),
      await buildCaller(calling.db),
      await buildCaller(calling.db, { call_retention_days: 0 }),
    ];
    const stored = async (caller: Caller, days: number) =>
      (await buildStoredCall(calling.db, caller, nextNumber(), endedAgo(days))).id;
    const calls = {
      ownOld: await stored(own, 61),
      ownYoung: await stored(own, 59),
      platformOld: await stored(platform, 396),
      platformYoung: await stored(platform, 394),
      forever: await stored(forever, 4_000),
    };
    const before = await fresh(worker.app);
    expect(await removeCalls()).toBe(2);
    expect(await kept(calls)).toEqual(['ownYoung', 'platformYoung', 'forever']);
    const series = 'outdial_retention_removed_rows_total{table="call_requests"}';
    const after = await fresh(worker.app);
    expect(grown(before, after, series)).toBe(2);
    expect(after['outdial_retention_oldest_row_age_seconds{table="call_requests"}']).toBeGreaterThan(
      3_999 * 86_400,
    );

    await calling.operated('patch', '/platform', { callRetentionDays: 31 });
    try {
      expect(await removeCalls()).toBe(1);
      expect(await kept(calls)).toEqual(['ownYoung', 'forever']);
    } finally {
      await calling.operated('patch', '/platform', { callRetentionDays: 395 });
    }
    await calling.operated('patch', `/teams/${forever.teamId}`, { callRetentionDays: 'platform' });
    expect(await removeCalls()).toBe(1);
    expect(await kept(calls)).toEqual(['ownYoung']);
  });

  test('no call that has not ended', async () => {
    const caller = await buildCaller(calling.db, { call_retention_days: 31 });
    const claimed = {
      claimed_at: daysAgo(50),
      processed_at: daysAgo(50),
      caller_id: caller.callerNumber,
      carrier: 'simulator',
    };
    const stored = async (row: Row) =>
      (await buildStoredCall(calling.db, caller, nextNumber(), { ...endedAgo(50), ...row })).id;
    const calls = {
      scheduled: await stored({ status: 'scheduled', ended_at: null }),
      queued: await stored({ status: 'queued', ended_at: null }),
      dialing: await stored({ status: 'dialing', ended_at: null, ...claimed }),
      talking: await stored({ status: 'in_progress', ended_at: null, ...claimed }),
      unknown: await stored({ status: 'dial_unknown', ended_at: null, ...claimed }),
      // Accepted long ago, for an opening of yesterday.
      young: await stored({ status: 'canceled', ended_at: daysAgo(1) }),
      ended: await stored({}),
    };
    expect(await removeCalls()).toBe(1);
    expect(await kept(calls)).not.toContain('ended');
    expect(await kept(calls)).toHaveLength(6);
  });

  test('the prompts of the last call from each caller ID, but not the call', async () => {
    const caller = await buildCaller(calling.db, { call_retention_days: 31 });
    const said = { prompt: 'Call Ada', first_message: 'Hello Ada', variables: { order: 7 } };
    const other = nextNumber();
    const calls = {
      first: await buildProcessedCall(calling.db, caller, nextNumber(), '90 days', said),
      last: await buildProcessedCall(calling.db, caller, nextNumber(), '80 days', said),
      // A dial that its carrier refused outright used no caller ID.
      refused: await buildProcessedCall(calling.db, caller, nextNumber(), '70 days', {
        status: 'failed',
        processed_at: null,
      }),
      ofAnother: await buildProcessedCall(calling.db, caller, nextNumber(), '85 days', { caller_id: other }),
    };
    for (const id of [calls.first, calls.last, calls.refused, calls.ofAnother]) {
      await calling.report(caller, id, { disposition: 'interested' }).expect(200);
    }
    expect(await removeCalls()).toBe(2);
    expect(await kept(calls)).toEqual(['last', 'ofAnother']);
    const results = 'SELECT call_request_id FROM call_results WHERE team_id = $1';
    expect(await calling.db.query(results, [caller.teamId])).toEqual([]);
    expect(await calling.row(calls.last)).toMatchObject({ prompt: null, first_message: null, variables: {} });
    expect(await removeCalls()).toBe(0);
    await buildProcessedCall(calling.db, caller, nextNumber(), '40 days');
    expect(await removeCalls()).toBe(1);
    expect(await kept(calls)).toEqual(['ofAnother']);
  });

  test('no call that a look-up must distinguish from one with an unknown end', async () => {
    const caller = await buildCaller(calling.db, { call_retention_days: 31 });
    const at = daysAgo(70);
    const near = await buildProcessedCall(calling.db, caller, nextNumber(), '70 days', {
      claimed_at: at,
      processed_at: at,
    });
    await buildProcessedCall(calling.db, caller, nextNumber(), '1 day');
    const { id: unknown } = await buildStoredCall(calling.db, caller, nextNumber(), {
      status: 'dial_unknown',
      caller_id: caller.callerNumber,
      carrier: 'simulator',
      accepted_at: at,
      claimed_at: at,
      processed_at: at,
    });
    expect(await removeCalls()).toBe(0);
    expect(await kept({ near })).toEqual(['near']);
    await calling.operated('post', `/teams/${caller.teamId}/calls/${unknown}/resolve`, { outcome: 'failed' });
    expect(await removeCalls()).toBe(1);
    expect(await kept({ near })).toEqual([]);
  });

  test('no call that the longest cap of a campaign counts', async () => {
    const caller = await buildCaller(calling.db, { call_retention_days: 31 });
    const stored = async (days: number) =>
      (await buildStoredCall(calling.db, caller, nextNumber(), endedAgo(days))).id;
    const calls = { old: await stored(95), counted: await stored(80) };
    const answer = await calling.operated('post', `/teams/${caller.teamId}/campaigns`, {
      name: 'Caps',
      status: 'active',
    });
    const { id } = answer.body as { id: string };
    await calling.operated('post', `/teams/${caller.teamId}/campaigns/${id}/versions`, {
      definition: { caps: { perNumber: [{ count: 9, per: 'P2W' }], afterConversation: 'P90D' } },
    });
    expect(await removeCalls()).toBe(1);
    expect(await kept(calls)).toEqual(['counted']);
  });

  test('no call of an enrollment that has not ended', async () => {
    const caller = await buildCaller(calling.db, { call_retention_days: 31 });
    const campaign = await buildCampaign(calling.db, caller.teamId);
    const calls: Record<string, string> = {};
    for (const status of ['active', 'paused', 'completed', 'exited', 'failed']) {
      const contact = await buildContact(calling.db, caller.teamId);
      const enrollment = await buildEnrollment(
        calling.db,
        {
          team_id: caller.teamId,
          campaign_id: campaign.id,
          contact_id: contact.id,
          version_id: campaign.current_version_id,
        },
        { status },
      );
      const row = { ...endedAgo(90), enrollment_id: enrollment.id };
      calls[status] = (await buildStoredCall(calling.db, caller, contact.phone_number, row)).id;
    }
    expect(await removeCalls()).toBe(3);
    expect(await kept(calls)).toEqual(['active', 'paused']);
    await calling.db.query(`UPDATE enrollments SET status = 'exited' WHERE team_id = $1`, [caller.teamId]);
    expect(await removeCalls()).toBe(2);
  });

  test('no contact, also without calls', async () => {
    const caller = await buildCaller(calling.db, { call_retention_days: 31 });
    const number = nextNumber();
    await buildStoredCall(calling.db, caller, number, endedAgo(50));
    const contactId = await contactIdOf(calling.db, caller.teamId, number);
    expect(await removeCalls()).toBe(1);
    expect(await contactIdOf(calling.db, caller.teamId, number)).toBe(contactId);
  });
});
