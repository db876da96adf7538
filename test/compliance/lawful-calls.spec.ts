import { type ComplianceSetting } from '../../src/domain/compliance/facts.js';
import { type RuleKind, RULE_KINDS } from '../../src/domain/compliance/pack.js';
import { type SentComplianceSetting } from '../../src/domain/compliance/setting.js';
import { buildContact, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { setClock, stopClock } from '../support/clock.js';
import { PagesClient } from '../dashboard/pages-client.js';
import { buildProcessedCall } from '../support/number-history.js';
import { signedIn } from '../support/signed-in.js';

// The worker takes no jobs of its own here: each wake-up is a test's.
const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

/** A Monday; 10:00 in California, where the numbers of these tests are. */
const MORNING = '2026-03-02T18:00:00.000Z';
/** 04:00 there. */
const NIGHT = '2026-03-02T12:00:00.000Z';

beforeEach(() => stopClock(calling.db, MORNING));

/** Only these kinds are enforced, the others are off. */
function enforcing(kind: RuleKind, setting: SentComplianceSetting = {}): SentComplianceSetting {
  const kinds: ComplianceSetting['kinds'] = Object.fromEntries(
    RULE_KINDS.filter((each) => each !== kind).map((each) => [each, 'off']),
  );
  return { mode: 'enforce', purpose: 'marketing', voice: 'ai', kinds, ...setting };
}

const warning = (setting: SentComplianceSetting): SentComplianceSetting => ({ ...setting, mode: 'warn' });

interface Case {
  reason: string;
  status: number;
  setting: SentComplianceSetting;
  number?: () => string;
  before?: (caller: Caller, phoneNumber: string) => Promise<unknown>;
}

const CASES: Case[] = [
  {
    reason: 'JURISDICTION_CAP',
    status: 429,
    setting: enforcing('frequencyCap', { purpose: 'debt' }),
    before: async (caller, phoneNumber) => {
      for (let n = 1; n <= 7; n += 1) {
        await buildProcessedCall(calling.db, caller, phoneNumber, `${13 + n} hours`, { status: 'no_answer' });
      }
    },
  },
  {
    reason: 'COOL_OFF',
    status: 429,
    setting: enforcing('coolOff', { purpose: 'debt' }),
    before: (caller, phoneNumber) =>
      buildProcessedCall(calling.db, caller, phoneNumber, '14 hours', { status: 'completed' }),
  },
  { reason: 'CONSENT_REQUIRED', status: 400, setting: enforcing('consentRequired') },
  {
    reason: 'CALLING_PROHIBITED',
    status: 400,
    setting: enforcing('prohibition', { regionProperty: 'state' }),
    before: (caller, phoneNumber) =>
      buildContact(calling.db, caller.teamId, {
        phone_number: phoneNumber,
        custom_properties: { state: 'US-WY' },
      }),
  },
  { reason: 'REGISTER_STALE', status: 400, setting: enforcing('registerScrub') },
  {
    reason: 'UNKNOWN_LOCATION',
    status: 400,
    setting: enforcing('callingHours'),
    number: () => '+80012345678',
  },
];

async function scene({ setting, number = nextNumber, before }: Case, mode: 'enforce' | 'warn' | 'off') {
  const compliance = mode === 'warn' ? warning(setting) : { ...setting, mode };
  const caller = await buildCaller(calling.db, { compliance: JSON.stringify(compliance) });
  const phoneNumber = number();
  await before?.(caller, phoneNumber);
  return { caller, phoneNumber };
}

describe('the trigger', () => {
  test.each(CASES)('refuses $reason where it is enforced, and tells rule and citation', async (one) => {
    const { caller, phoneNumber } = await scene(one, 'enforce');
    const answer = await calling.trigger(caller, { phoneNumber });
    expect([answer.status, (answer.body as { reason?: string }).reason]).toEqual([one.status, one.reason]);
    const call = (await calling.rows(caller.teamId)).find(({ status }) => status === 'blocked');
    const decision = call?.decisions[0] as unknown as Row;
    expect(decision).toMatchObject({ allow: false, reason: one.reason, compliance: { mode: 'enforce' } });
    if (one.reason === 'UNKNOWN_LOCATION') return;
    const { rule } = decision.compliance as { rule: string };
    const refusal = (decision.rules as Row[]).find(({ allow }) => allow === false);
    expect(refusal).toMatchObject({ evidence: { rule, citation: expect.any(String) as string } });
    expect('retryAt' in (refusal ?? {})).toBe(one.status === 429);
  });

  test.each(CASES)(
    'answers as without packs where $reason only warns, and keeps the verdict',
    async (one) => {
      const answers = [];
      for (const mode of ['off', 'warn'] as const) {
        const { caller, phoneNumber } = await scene(one, mode);
        const answer = await calling.trigger(caller, { phoneNumber });
        const body = answer.body as { callRequestId: string; contactId: string };
        const { callRequestId: id, contactId, ...rest } = body;
        const row = await calling.row(id);
        const { status, runs_at, expires_at, reason } = row;
        answers.push({ status: answer.status, rest, row: { status, runs_at, expires_at, reason } });
        const [decision] = await calling.db.query<{ decision: Row }[]>(
          'SELECT decision FROM call_details WHERE id = $1',
          [id],
        );
        const verdicts = (decision?.decision.compliance as { verdicts?: object } | undefined)?.verdicts;
        if (mode === 'off') expect(decision?.decision.compliance).toBeUndefined();
        else if (one.reason !== 'UNKNOWN_LOCATION') expect(Object.values(verdicts ?? {})).toContain('warn');
        expect(contactId).toBeDefined();
      }
      expect(answers[1]).toEqual(answers[0]);
    },
  );

  test.each([
    ['enforce', 'refused'],
    ['warn', 'warned'],
  ] as const)('marks the rule on the call’s page in mode %s', async (mode, mark) => {
    const one = CASES.find(({ reason }) => reason === 'CONSENT_REQUIRED') as Case;
    const { caller, phoneNumber } = await scene(one, mode);
    await calling.trigger(caller, { phoneNumber });
    const [call] = await calling.rows(caller.teamId);
    const { cookie } = await signedIn(calling.db, { teamId: caller.teamId, role: 'viewer' });
    const page = await new PagesClient(calling.api, cookie).page(`/t/${caller.teamId}/calls/${call?.id}`);
    const marks = [...page.matchAll(/<li data-law="([^"]+)"(?: class="(\w+)")?>/g)];
    expect(marks.map(([, , found]) => found)).toContain(mark);
    expect(marks.filter(([, , found]) => found === mark).map(([, id]) => id)).toEqual([
      'us-fcc-ai-consent',
      'us-fcc-ai-consent-marketing',
    ]);
  });

  test('schedules a call at the first lawful opening, and keeps why', async () => {
    await setClock(calling.db, NIGHT);
    const compliance = JSON.stringify(enforcing('callingHours'));
    const caller = await buildCaller(calling.db, { compliance });
    const answer = await calling.trigger(caller, { phoneNumber: nextNumber() });
    expect(answer.body).toMatchObject({ rescheduled: true, runsAt: '2026-03-02T16:00:00.000Z' });
    const { callRequestId: id } = answer.body as { callRequestId: string };
    const [kept] = await calling.db.query<{ decision: Row }[]>(
      'SELECT decision FROM call_details WHERE id = $1',
      [id],
    );
    expect(kept?.decision).toMatchObject({
      rules: [],
      compliance: {
        rule: 'us-tcpa-hours',
        firstLawfulAt: '2026-03-02T16:00:00.000Z',
        jurisdictions: ['US', 'US-CA'],
      },
    });
  });

  test('places the call where the consent of a custom property suffices, and at an hour at which the law is silent', async () => {
    const setting = enforcing('consentRequired', { consentProperty: 'consent' });
    const caller = await buildCaller(calling.db, { compliance: JSON.stringify(setting) });
    const phoneNumber = nextNumber();
    await buildContact(calling.db, caller.teamId, {
      phone_number: phoneNumber,
      custom_properties: { consent: 'expressWritten' },
    });
    expect((await calling.trigger(caller, { phoneNumber })).status).toBe(200);
  });

  test('takes the purpose of the agent before that of the team', async () => {
    const setting = enforcing('consentRequired', { voice: 'live' });
    const team = { compliance: JSON.stringify(setting) };
    const caller = await buildCaller(calling.db, team, { purpose: 'survey' });
    expect((await calling.trigger(caller, { phoneNumber: nextNumber() })).status).toBe(200);
  });
});

describe('the dry run', () => {
  test('shows the place, the packs and each rule with its citation', async () => {
    const caller = await buildCaller(calling.db, {
      compliance: JSON.stringify(warning(enforcing('consentRequired'))),
    });
    const answer = await calling
      .http()
      .post(`/api/voice-agents/${caller.agentId}/calls/explain`)
      .set(bearer(caller.apiKey))
      .send({ phoneNumber: nextNumber() });
    expect(answer.body).toMatchObject({
      wouldBe: 'queued',
      compliance: {
        mode: 'warn',
        zones: ['America/Los_Angeles'],
        zoneSource: 'areaCode',
        jurisdictions: ['US', 'US-CA'],
        packs: { us: expect.stringMatching(/^[0-9a-f]{12}$/) as string },
        rules: expect.arrayContaining([
          expect.objectContaining({
            id: 'us-fcc-ai-consent',
            verdict: 'warn',
            citation: expect.any(String) as string,
          }),
        ]) as object,
      },
    });
  });
});

describe('the claim', () => {
  const enforce = (caller: Caller, setting: SentComplianceSetting) =>
    calling.db.query('UPDATE teams SET compliance = $2 WHERE id = $1', [
      caller.teamId,
      JSON.stringify(setting),
    ]);

  test('judges again: a call that was accepted before ends blocked', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await enforce(caller, enforcing('consentRequired'));
    expect(await worker.fire(id)).toEqual({ kind: 'blocked' });
    expect(await calling.row(id)).toMatchObject({ status: 'blocked', reason: 'CONSENT_REQUIRED' });
    expect(calling.dials(phoneNumber)).toEqual([]);
  });

  test('moves a call that is due outside the lawful hours', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    await enforce(caller, enforcing('callingHours'));
    await setClock(calling.db, '2026-03-03T05:30:00.000Z');
    expect(await worker.fire(id)).toEqual({ kind: 'rescheduled' });
    expect((await calling.row(id)).runs_at.toISOString()).toBe('2026-03-03T16:00:00.000Z');
    expect(calling.dials(phoneNumber)).toEqual([]);
  });

  test('dials where packs allow it', async () => {
    const caller = await buildCaller(calling.db, { compliance: JSON.stringify(enforcing('callingHours')) });
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber });
    expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
    expect(calling.dials(phoneNumber)).toHaveLength(1);
  });
});
