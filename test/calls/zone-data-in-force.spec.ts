import { ZoneDataInForce } from '../../src/database/zone-data-in-force.js';
import { HealthService } from '../../src/operations/health.service.js';
import { PACKAGED } from '../../src/domain/zones/packaged.js';
import { useZoneData } from '../../src/domain/zones/time-zone.js';
import { ZoneData } from '../../src/domain/zones/zone-data.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { changesBetween } from '../../src/domain/zones/changes.js';

const calling = Calling.ofFile();
const NEWER = new ZoneData({
  ...PACKAGED,
  version: '2099a',
  zones: PACKAGED.zones.map((zone) => (zone.startsWith('Asia/Tokyo|') ? 'Asia/Tokyo|JST|-a0|0||38e6' : zone)),
});

afterEach(() => useZoneData(new ZoneData(PACKAGED)));

test('a worker with older zone data than those in force dials nothing and says why', async () => {
  const worker = await calling.startIdleWorker({ sweeperIntervalMs: NEVER_MS });
  const inForce = worker.app.get(ZoneDataInForce);
  await inForce.advance();
  expect(await inForce.fault()).toBeNull();
  useZoneData(NEWER);
  await inForce.advance();
  expect(await inForce.version()).toBe('2099a');
  const caller = await buildCaller(calling.db);
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });

  useZoneData(new ZoneData(PACKAGED));
  await inForce.advance();
  expect(await inForce.version()).toBe('2099a');
  expect(await inForce.fault()).toContain('older than 2099a');
  expect(await worker.fire(id)).toEqual({ kind: 'early', delayMs: 5_000 });
  expect((await worker.app.get(HealthService).readiness()).zoneData).toMatchObject({
    version: PACKAGED.version,
    inForce: '2099a',
    fault: expect.stringContaining('dials nothing') as string,
  });
  const changed = changesBetween(new ZoneData(PACKAGED), NEWER, Date.now(), Date.now() + 1);
  expect(changed).toMatchObject([{ zone: 'Asia/Tokyo', offsetBefore: 540, offset: 600 }]);

  useZoneData(NEWER);
  expect((await worker.fire(id)).kind).toBe('claimed');
});
