import { numbersOfPerson } from '../../src/domain/person-number.js';
import { Calling, reasonOf } from '../support/calling.js';
import { PlayedCampaign } from '../campaigns/support/played-campaign.js';
import { buildCaller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { buildProcessedCall } from '../support/number-history.js';

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

  // Calls and enrollments remain after the team has stopped accepting such numbers.
  test('finds and cancels calls and finds enrollments, whatever the team accepts now', async () => {
    const caller = await buildCaller(calling.db, { accept_unknown_ranges: true }, hoursOpeningIn(3));
    const { teamId } = caller;
    const id = await calling.accepted(caller, { phoneNumber });
    const campaign = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first', after: 'P1D' }] });
    const contacts = await calling.db.query<{ id: string }[]>('SELECT id FROM contacts WHERE team_id = $1', [
      teamId,
    ]);
    const enrollment = await calling
      .http()
      .post('/api/campaigns/enrollments')
      .set('Authorization', `Bearer ${caller.apiKey}`)
      .send({ contactId: contacts[0]?.id, campaignId: campaign.id })
      .expect(201);
    const { enrollmentId } = enrollment.body as { enrollmentId: string };
    const listed = async (path: string) => {
      const answer = await calling.operator('get', `/teams/${teamId}/${path}`).expect(200);
      return (answer.body as { items: { id: string }[] }).items.map((item) => item.id);
    };
    for (const acceptUnknownRanges of [true, false]) {
      await calling.operated('patch', `/teams/${teamId}`, { acceptUnknownRanges });
      for (const typed of ['%2B14365550123', '%2B1%20(436)%20555-0123']) {
        expect(await listed(`calls?phoneNumber=${typed}`)).toEqual([id]);
        expect(await listed(`campaigns/${campaign.id}/enrollments?phoneNumber=${typed}`)).toEqual([
          enrollmentId,
        ]);
      }
      const counted = await calling.operated('post', `/teams/${teamId}/calls/cancel`, {
        phoneNumber,
        dryRun: true,
      });
      expect(counted.body).toEqual({ matching: 1, canceled: 0, remaining: 1 });
    }
    await calling.operated('post', `/teams/${teamId}/calls/cancel`, { phoneNumber });
    expect(await calling.row(id)).toMatchObject({ status: 'canceled' });
  });

  test('is added to the whitelist of a team that accepts it, and can then be called', async () => {
    const caller = await buildCaller(calling.db, { whitelist_only: true });
    const whitelist = `/teams/${caller.teamId}/whitelist`;
    const body = { phoneNumbers: [phoneNumber] };
    expect((await calling.operator('post', whitelist, body)).status).toBe(400);
    await calling.operated('patch', `/teams/${caller.teamId}`, { acceptUnknownRanges: true });
    expect(reasonOf(await calling.trigger(caller, { phoneNumber }))).toBe('NOT_WHITELISTED');
    expect((await calling.operated('post', whitelist, body)).body).toEqual({ added: 1, rejected: [] });
    expect((await calling.trigger(caller, { phoneNumber })).status).toBe(200);
    // An impossible number stays refused.
    const impossible = { phoneNumbers: ['+1436555'] };
    expect((await calling.operator('post', whitelist, impossible)).status).toBe(400);
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

  test.each([
    [fixed, mobile],
    [mobile, fixed],
    ['+5215512345678', '+525512345678'],
    ['+525512345678', '+5215512345678'],
  ])('the daily limit: a call to %s counts for %s', async (called, phoneNumber) => {
    const caller = await buildCaller(calling.db, { number_daily_limit: 1 });
    await buildProcessedCall(calling.db, caller, called, '13 hours');
    expect(reasonOf(await calling.trigger(caller, { phoneNumber }))).toBe('NUMBER_LIMIT_DAILY');
    const free = await buildCaller(calling.db, { number_daily_limit: 2 });
    await buildProcessedCall(calling.db, free, called, '13 hours');
    expect((await calling.trigger(free, { phoneNumber })).status).toBe(200);
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
