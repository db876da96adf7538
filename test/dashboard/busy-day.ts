import { type DataSource } from 'typeorm';
import { nextNumber } from '../support/builders.js';
import { type Caller } from '../support/call-builders.js';
import { buildStoredCall } from '../support/number-history.js';

/** Calls for screenshots: in every state, refused, and due through the day. */
export async function buildBusyDay(db: DataSource, caller: Caller): Promise<void> {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const states = [
    'completed',
    'completed',
    'completed',
    'no_answer',
    'busy',
    'voicemail',
    'failed',
    'expired',
  ];
  for (const [index, status] of states.entries()) {
    const at = hoursAgo(0.1 * (index + 1));
    const dialed = {
      claimed_at: at,
      processed_at: at,
      caller_id: caller.callerNumber,
      carrier: 'simulator',
    };
    const times = { accepted_at: at, runs_at: at, ended_at: at, ...(status !== 'expired' && dialed) };
    await buildStoredCall(db, caller, nextNumber(), { status, ...times });
  }
  for (const reason of ['DO_NOT_CALL', 'RECENTLY_CALLED', 'RECENTLY_CALLED', 'PLAN_LIMIT']) {
    const times = { accepted_at: hoursAgo(1), runs_at: hoursAgo(1), ended_at: hoursAgo(1) };
    await buildStoredCall(db, caller, nextNumber(), { status: 'blocked', reason, ...times });
  }
  for (let n = 0; n < 60; n += 1) {
    const runsAt = hoursAgo(-((n * n) % 23) - 0.5);
    const times = { accepted_at: hoursAgo(2), runs_at: runsAt, woken_at: runsAt };
    await buildStoredCall(db, caller, nextNumber(), { status: 'scheduled', ...times });
  }
}
