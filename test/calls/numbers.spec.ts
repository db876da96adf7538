import { numbersOfPerson } from '../../src/domain/person-number.js';
import { Calling, reasonOf } from '../support/calling.js';
import { buildCaller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

beforeEach(() => moveClock(calling.db, '0'));

describe('a number without + that can be two numbers', () => {
  test('is 400 on a call, a contact and an enrollment, and names both', async () => {
    const caller = await buildCaller(calling.db);
    await calling.operated('patch', `/teams/${caller.teamId}`, { defaultCountry: 'DE' });
    const both = /\+494915112345678 or \+4915112345678/;
    for (const phoneNumber of ['4915112345678', '1711234567.0']) {
      const call = await calling.trigger(caller, { phoneNumber });
      expect([call.status, reasonOf(call)]).toEqual([400, 'INVALID_REQUEST']);
      const contact = await calling
        .http()
        .post('/api/contacts')
        .set('Authorization', `Bearer ${caller.apiKey}`)
        .send({ phoneNumber });
      expect(contact.status).toBe(400);
      const texts = [call.text, contact.text];
      for (const text of texts) expect(text).toMatch(phoneNumber.includes('.') ? /spreadsheet/ : both);
    }
  });
});

describe('a number of an unknown range', () => {
  const phoneNumber = '+14365550123';
  const warnings = [
    { key: 'phoneNumber', text: expect.stringMatching(/not known to this version/) as string },
  ];

  test('is refused, unless the team accepts unknown ranges; the decisions then warn', async () => {
    const caller = await buildCaller(calling.db);
    expect((await calling.trigger(caller, { phoneNumber })).status).toBe(400);
    await calling.operated('patch', `/teams/${caller.teamId}`, {
      acceptUnknownRanges: true,
      allowedCountries: ['US'],
    });
    const id = await calling.accepted(caller, { phoneNumber });
    expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
    const detail = await calling.operator('get', `/teams/${caller.teamId}/calls/${id}`);
    const { decisions } = detail.body as { decisions: object[] };
    expect(decisions).toMatchObject([
      { allow: true, warnings },
      { allow: true, warnings },
    ]);
    const known = await calling.accepted(caller, { phoneNumber: '+14155550123' });
    const other = await calling.operator('get', `/teams/${caller.teamId}/calls/${known}`);
    expect((other.body as { decisions: object[] }).decisions[0]).not.toHaveProperty('warnings');
  });

  test('is warned of when it is due, if it was scheduled', async () => {
    const caller = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    await calling.operated('patch', `/teams/${caller.teamId}`, { acceptUnknownRanges: true });
    const id = await calling.accepted(caller, { phoneNumber });
    await moveClock(calling.db, '3 hours');
    expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
    const detail = await calling.operator('get', `/teams/${caller.teamId}/calls/${id}`);
    expect((detail.body as { decisions: object[] }).decisions).toMatchObject([{ allow: true, warnings }]);
  });
});

describe('the forms of one person’s number are one number to the rules', () => {
  const [fixed, mobile] = ['+541157447711', '+5491157447711'];

  test('the Do Not Call list, and pending calls that it ends', async () => {
    const caller = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    const pending = await calling.accepted(caller, { phoneNumber: mobile });
    await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: [fixed] });
    expect(await calling.row(pending)).toMatchObject({ status: 'blocked', reason: 'DO_NOT_CALL' });
    const open = await buildCaller(calling.db);
    await calling.operated('post', `/teams/${open.teamId}/do-not-call`, { phoneNumbers: [mobile] });
    expect(reasonOf(await calling.trigger(open, { phoneNumber: fixed }))).toBe('DO_NOT_CALL');
  });

  test('pending calls and the 12 hours', async () => {
    const caller = await buildCaller(calling.db);
    const id = await calling.accepted(caller, { phoneNumber: mobile });
    expect(reasonOf(await calling.trigger(caller, { phoneNumber: fixed }))).toBe('ALREADY_SCHEDULED');
    expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
    expect(reasonOf(await calling.trigger(caller, { phoneNumber: fixed }))).toBe('RECENTLY_CALLED');
    // The contact keeps the number with which it was sent.
    expect(await calling.row(id)).toMatchObject({ phone_number: mobile });
  });

  test('the database makes the same forms as the code', async () => {
    for (const number of [
      fixed,
      mobile,
      '+525512345678',
      '+5215512345678',
      '+14155552671',
      '+5411574477',
      'erased:01',
    ]) {
      const [row] = await calling.db.query<{ person: string; other: string | null }[]>(
        'SELECT person_number($1) AS person, other_number_of_person($1) AS other',
        [number],
      );
      const [person, other = null] = numbersOfPerson(number);
      expect(row).toEqual({ person, other });
    }
  });
});
