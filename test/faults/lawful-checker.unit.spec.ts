import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPacks } from '../../src/compliance/packs/pack-files.js';
import { writePack } from '../../tools/faults/faults-pack.js';
import { isWithin, type PackHours, packHoursFrom } from '../../tools/faults/pack-windows.js';
import { NOON, planted, type Planted } from './planted.js';

/* What the fault harness finds in calls that law or the person forbids. */

const MINUTE = 60_000;
const DAY = 86_400_000;
const NUMBER = '+12125550144';

describe('a call after an opt-out', () => {
  /** Opted out at noon, and not listed: `opt-out lost` is another check. */
  function optedOut(history: Planted = planted()): Planted {
    history.call('c', { phoneNumber: NUMBER, claimedAt: NOON - MINUTE });
    history.history.optOuts.push({ callRequestId: 'c', answeredAt: NOON });
    return history.listed(NUMBER, NOON - 1);
  }

  const laterCall = (claimedAt: number, over = {}) =>
    optedOut().call('d', { phoneNumber: NUMBER, claimedAt, ...over });

  test('is caught, also without an entry of Do Not Call', () => {
    const history = laterCall(NOON + DAY);
    expect(history.kinds()).toContain('called after opt-out');
    history.history.doNotCall = [];
    expect(history.kinds()).toContain('called after opt-out');
  });

  test('is caught after an opt-out that the carrier reported with the end of a call', () => {
    const history = planted()
      .call('c', { phoneNumber: NUMBER, overAt: NOON + 5, reportedOptOut: true })
      .call('d', { phoneNumber: NUMBER, claimedAt: NOON + DAY });
    expect(history.kinds()).toContain('called after opt-out');
  });

  test('passes before the opt-out, to another number, in another team, and undialed', () => {
    expect(optedOut().kinds()).toEqual([]);
    expect(laterCall(NOON + DAY, { phoneNumber: '+12125550145' }).kinds()).toEqual([]);
    expect(laterCall(NOON + DAY, { teamId: 'limited' }).kinds()).toEqual([]);
    const blocked = optedOut()
      .promise('d')
      .row('d', { phoneNumber: NUMBER, status: 'blocked', claimedAt: null, processedAt: null });
    expect(blocked.kinds()).toEqual([]);
  });
});

describe('a call outside the windows of a pack', () => {
  // NOON is 07:00 in New York, 06:00 in Chicago, and a Friday.
  const hours: PackHours = { friday: [{ start: '07:00', end: '08:00' }] };
  const packed = (phoneNumber: string, claimedAt: number, teamId = 'free') => {
    const history = planted().call('c', { phoneNumber, claimedAt, teamId });
    history.history.packHours = new Map([['free', hours]]);
    return history.kinds();
  };

  test.each([
    ['in New York at 07:00', '+12125550144', NOON],
    ['in Chicago at 07:59', '+13125550144', NOON + 2 * 60 * MINUTE - 1],
    ['in Phoenix at 07:00', '+16025550144', NOON + 2 * 60 * MINUTE],
  ])('%s passes', (_, number, at) => {
    expect(packed(number, at)).toEqual([]);
  });

  test.each([
    ['in Chicago at 06:00', '+13125550144', NOON],
    ['in New York at 08:00', '+12125550144', NOON + 60 * MINUTE],
    ['in New York at 06:59', '+12125550144', NOON - 1],
    ['on another day', '+12125550144', NOON + DAY],
  ])('%s is caught', (_, number, at) => {
    expect(packed(number, at)).toEqual(['outside pack windows']);
  });

  test('of a team without a pack passes', () => {
    expect(packed('+13125550144', NOON, 'limited')).toEqual([]);
  });
});

describe('the windows of a run', () => {
  const AREAS = ['212', '312', '303', '415', '602'];

  test.each([
    ['at noon', '2026-11-28T17:00:20Z'],
    ['at midnight in New York', '2026-11-28T04:55:00Z'],
    ['at midnight in Los Angeles', '2026-11-28T07:58:59Z'],
    ['in summer', '2026-07-01T12:34:56Z'],
  ])('that begins %s open in each zone within two minutes, and are closed in another meanwhile', (_, at) => {
    const from = Date.parse(at);
    const hours = packHoursFrom(from);
    const first = Math.floor(from / MINUTE) * MINUTE;
    for (const area of AREAS) {
      for (let minute = 0; minute < 50; minute += 1) {
        const soon = [0, 1, 2].some((n) =>
          isWithin(hours, `+1${area}5550100`, first + (minute + n) * MINUTE),
        );
        expect([area, minute, soon]).toEqual([area, minute, true]);
      }
    }
    for (let minute = 0; minute < 8; minute += 1) {
      const open = ['212', '312'].map((area) => isWithin(hours, `+1${area}5550100`, first + minute * MINUTE));
      expect([minute, ...open]).toEqual([minute, minute % 2 === 0, minute % 2 === 1]);
    }
  });

  test('are a pack that the product reads', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'outdial-faults-pack-'));
    try {
      const hours = packHoursFrom(Date.parse('2026-11-28T04:55:00Z'));
      const { packs, faults } = readPacks(await writePack(directory, hours));
      expect(faults).toEqual([]);
      expect(packs.flatMap(({ rules }) => rules)).toEqual([
        expect.objectContaining({ kind: 'callingHours', clock: 'calledParty', hours }),
      ]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test('are no more than a pack may have', () => {
    for (let hour = 0; hour < 24; hour += 1) {
      const days = Object.values(packHoursFrom(Date.parse('2026-11-28T00:30:00Z') + hour * 60 * MINUTE));
      for (const windows of days) expect(windows.length).toBeLessThanOrEqual(20);
    }
  });
});
