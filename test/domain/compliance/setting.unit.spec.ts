import { changedCompliance, NO_COMPLIANCE, parseCompliance } from '../../../src/domain/compliance/setting.js';

test.each([
  [null, 'compliance must be an object'],
  [{ mode: 'on' }, 'compliance.mode must be one of off, warn, enforce'],
  [{ packs: [] }, 'compliance.packs must be auto, or a list of 1 to 200 names of packs'],
  [{ packs: ['us', 'US'] }, 'compliance.packs[1] must be the name of a pack, such as us or us-fl'],
  [{ packs: ['us', 'us'] }, 'compliance.packs must not repeat a pack'],
  [{ purpose: 'sales' }, 'compliance.purpose must be one of marketing, informational, debt, survey'],
  [{ voice: 'robot' }, 'compliance.voice must be one of ai, prerecorded, live'],
  [{ regionProperty: '' }, 'compliance.regionProperty must be the name of a custom property, or null'],
  [{ kinds: { hours: 'warn' } }, 'compliance.kinds has an unknown kind "hours"'],
  [{ kinds: { coolOff: 'on' } }, 'compliance.kinds.coolOff must be one of off, warn, enforce'],
  [{ pack: 'us' }, 'compliance has an unknown key "pack"'],
])('%j is refused', (sent, message) => {
  const parsed = parseCompliance(sent);
  expect(parsed.ok ? null : parsed.message.startsWith(message)).toBe(true);
});

test('a change keeps what it does not name, and replaces the modes of kinds as a whole', () => {
  const before = changedCompliance({ mode: 'warn' }, { purpose: 'debt', kinds: { coolOff: 'off' } });
  expect(before).toEqual({ ...NO_COMPLIANCE, mode: 'warn', purpose: 'debt', kinds: { coolOff: 'off' } });
  expect(changedCompliance(before, { mode: 'enforce', kinds: {} })).toEqual({
    ...NO_COMPLIANCE,
    mode: 'enforce',
    purpose: 'debt',
  });
});
