import { countMovingCalls } from '../../src/calls/recovery/moving-calls.js';
import { DueEnrollmentsService } from '../../src/campaigns/engine/due-enrollments.service.js';
import { ZoneDataInForce } from '../../src/database/zone-data-in-force.js';
import { Transactions } from '../../src/database/transactions.js';
import { PACKAGED } from '../../src/domain/zones/packaged.js';
import { useZoneData } from '../../src/domain/zones/time-zone.js';
import { ZoneData } from '../../src/domain/zones/zone-data.js';
import { nextNumber } from '../support/builders.js';
import { weekdays } from '../support/call-builders.js';
import { setClock } from '../support/clock.js';
import { useCampaigns } from './support/campaign-tests.js';
import { ONCE, startEnrolled } from './support/why-not-tests.js';

const { calling, worker } = useCampaigns();

/** Until 2025, Casablanca was an hour ahead of UTC. */
const OLDER = new ZoneData({
  ...PACKAGED,
  version: '2025b',
  zones: PACKAGED.zones.map((zone) =>
    zone.startsWith('Africa/Casablanca|') ? 'Africa/Casablanca|+01|-10|0||32e5' : zone,
  ),
});

afterAll(() => useZoneData(new ZoneData(PACKAGED)));

test('newer zone data move a pending call and an enrollment once, and say so', async () => {
  // A Saturday.
  await setClock(calling.db, '2026-12-05T12:00:00Z');
  const inForce = worker.app.get(ZoneDataInForce);
  const moving = () => countMovingCalls(worker.app.get(Transactions));
  const engine = () => worker.app.get(DueEnrollmentsService).run(new AbortController().signal);
  useZoneData(OLDER);
  await inForce.advance();
  await worker.sweep();
  const { caller, id: enrollmentId } = await startEnrolled(calling, ONCE, {}, weekdays('africa/casablanca'));
  await engine();
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  const other = await calling.accepted(caller, { phoneNumber: nextNumber(), timezone: 'Europe/Berlin' });
  expect(await calling.row(id)).toMatchObject({ status: 'scheduled', runs_at: at('08:00') });
  const nextAttempt = async () => {
    const [row] = await calling.db.query<{ next_attempt_at: Date }[]>(
      'SELECT next_attempt_at FROM enrollments WHERE id = $1',
      [enrollmentId],
    );
    return row?.next_attempt_at;
  };
  expect(await nextAttempt()).toEqual(at('08:00'));

  useZoneData(new ZoneData(PACKAGED));
  expect(await moving()).toBe(1);
  await inForce.advance();
  expect(await moving()).toBe(1);
  await worker.sweep();
  const moved = await calling.row(id);
  expect(moved).toMatchObject({
    status: 'scheduled',
    runs_at: at('09:00'),
    expires_at: new Date(at('09:00').getTime() + 86_400_000),
    generation: 1,
  });
  expect(moved.history.at(-1)).toMatchObject({
    from: 'scheduled',
    to: 'scheduled',
    cause: 'zone_data_changed',
  });
  expect(await calling.row(other)).toMatchObject({ generation: 0, runs_at: at('08:00') });
  const events = await calling.db.query<{ runs_at: Date }[]>(
    `SELECT runs_at FROM events WHERE call_id = $1 AND type = 'call.scheduled' ORDER BY at, id`,
    [id],
  );
  expect(events.map((event) => event.runs_at)).toEqual([at('08:00'), at('09:00')]);
  await engine();
  expect(await nextAttempt()).toEqual(at('09:00'));

  // Another process starts with the same data, and one that did not know that the moves are done.
  expect(await moving()).toBe(0);
  await calling.db.query('UPDATE platform_settings SET zone_data_moved = NULL');
  const next = await calling.startIdleWorker();
  await next.app.get(ZoneDataInForce).advance();
  await next.sweep();
  expect(await calling.row(id)).toMatchObject({ generation: 1, runs_at: at('09:00') });
});

/** On the Monday after. */
function at(time: string): Date {
  return new Date(`2026-12-07T${time}:00Z`);
}
