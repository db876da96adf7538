import { KeptOpenings } from '../../../src/domain/campaigns/decide/kept-openings.js';
import { type LawfulHours } from '../../../src/domain/compliance/lawful-hours.js';
import { agent } from './support/scenes.js';

const NEXT = new Date('2027-03-02T14:00:00Z');
const at = (minute: number) => new Date(Date.parse('2027-03-01T23:00:00Z') + minute * 60_000);

function counted(answer: Date | null) {
  const asked: number[] = [];
  const opening = (from: Date) => {
    asked.push(from.getTime());
    return answer;
  };
  return { asked, opening };
}

test.each([NEXT, null])('an opening is found once for an agent, law, zone and instant: %p', (answer) => {
  const openings = new KeptOpenings();
  const key = { agent: agent(), lawful: [], zone: 'America/New_York' };
  const { asked, opening } = counted(answer);
  for (const minute of [0, 0, 1, 0]) expect(openings.keeping({ ...key }, opening)(at(minute))).toBe(answer);
  expect(asked).toEqual([at(0).getTime(), at(1).getTime()]);
});

test('another agent, law or zone has openings of its own', () => {
  const openings = new KeptOpenings();
  const lawful: LawfulHours[] = [];
  const key = { agent: agent(), lawful, zone: 'America/New_York' };
  const others = [
    key,
    { ...key, agent: agent() },
    { ...key, lawful: [] },
    { ...key, zone: 'America/Chicago' },
  ];
  const { asked, opening } = counted(NEXT);
  for (const one of [...others, ...others]) openings.keeping(one, opening)(at(0));
  expect(asked).toHaveLength(others.length);
});

test('few instants are kept', () => {
  const openings = new KeptOpenings();
  const key = { agent: agent(), lawful: [], zone: 'UTC' };
  const { asked, opening } = counted(NEXT);
  for (let minute = 0; minute < 100; minute += 1) openings.keeping(key, opening)(at(minute));
  openings.keeping(key, opening)(at(0));
  expect(asked).toHaveLength(101);
});
