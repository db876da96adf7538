import { QUEUED } from './calls.js';
import { type Expected, including, INSTANT } from './expectation.js';
import { Caller, type ExpectedAnswer, fieldOf, type Story, textOf } from './story.js';
import { type AlwaysOpenTeam, type DemoCast, makeLimitedTeam, pathOf } from './team.js';
import { indented, readableJson } from './terminal.js';

/** Every guardrail refuses once. Gives the id of the one call that was dialed on the way. */
export async function meetGuardrails(story: Story, operator: Caller): Promise<string> {
  story.chapter('One refusal by each guardrail');
  story.note(
    'On a second team, whose limits the operator turns on and off again. (“Already scheduled” was shown above.)',
  );
  const team = await makeLimitedTeam(story, operator);
  const call = (phoneNumber: string) =>
    team.caller.post(`/api/voice-agents/${team.agentId}/calls`, { phoneNumber });
  const set = (limits: object) => story.mention(operator.patch(pathOf(team), limits), 200);
  const [first, second, third] = ['+442079460001', '+442079460002', '+442079460003'];

  await set({ allowedCountries: ['GB', 'US'] });
  await story.tell('Country', call('+493023125001'), refused(400, 'COUNTRY_NOT_ALLOWED', /country/));

  await set({ whitelistOnly: true });
  await story.mention(operator.post(`${pathOf(team)}/whitelist`, { phoneNumbers: [first] }), 201);
  await story.tell('Whitelist', call(second), refused(400, 'NOT_WHITELISTED', /whitelist/));
  const dialed = textOf(await story.tell('A number on it is called', call(first), QUEUED), 'callRequestId');
  await set({ whitelistOnly: false });

  await set({ monthlyCallLimit: 1 });
  await story.tell('Plan limit', call(second), refused(429, 'PLAN_LIMIT', /monthly call limit/));
  await set({ monthlyCallLimit: null });

  await showDecision(story, operator, team, second);

  // The limits of a number count calls that were dialed, so the one above has to be.
  await story.until(team.caller.get(`/api/calls/${dialed}`), { field: 'status', value: 'completed' });
  await set({ numberDailyLimit: 1 });
  await story.tell('Daily limit of a number', call(first), refused(429, 'NUMBER_LIMIT_DAILY', /daily/));
  await set({ numberDailyLimit: null, numberWeeklyLimit: 1 });
  await story.tell('Weekly limit of a number', call(first), refused(429, 'NUMBER_LIMIT_WEEKLY', /weekly/));
  await set({ numberWeeklyLimit: null, numberMonthlyLimit: 1 });
  await story.tell('Monthly limit of a number', call(first), refused(429, 'NUMBER_LIMIT_MONTHLY', /monthly/));
  await set({ numberMonthlyLimit: null });

  await story.mention(
    operator.post(`${pathOf(team)}/do-not-call`, { phoneNumbers: [third], reason: 'asked on the phone' }),
    201,
  );
  await story.tell('Do Not Call', call(third), refused(500, 'DO_NOT_CALL', /Do Not Call/));
  await story.tell('12 hours', call(first), refused(500, 'RECENTLY_CALLED', /12 hours/));
  return dialed;
}

/** What the operator can read of a refusal: what each rule went by, here the one that refused. */
async function showDecision(
  story: Story,
  operator: Caller,
  team: AlwaysOpenTeam,
  phoneNumber: string,
): Promise<void> {
  const calls = `${pathOf(team)}/calls`;
  const query = `status=blocked&phoneNumber=${encodeURIComponent(phoneNumber)}`;
  const list = await story.until(operator.get(`${calls}?${query}`), undefined);
  const [newest] = fieldOf(list, 'items') as { id: string }[];
  const answer = await story.mention(operator.get(`${calls}/${newest?.id}`), 200, 'keeps the decision:');
  const decisions = fieldOf(answer, 'decisions') as { rules: { reason: string }[] }[];
  const rule = decisions[0]?.rules.find(({ reason }) => reason === 'PLAN_LIMIT');
  story.note(indented(readableJson(rule)));
  const evidence = { limit: 1, used: 1, countedThisMonth: false };
  story.check(
    'the decision on the refused call',
    including({ allow: false, evidence, retryAt: INSTANT }),
    rule,
  );
}

/** Requests that are not well-formed, or not allowed at all. */
export async function sendBadRequests(story: Story, cast: DemoCast): Promise<void> {
  story.chapter('Bad input, agents and keys');
  const { caller, open } = cast;
  const path = `/api/voice-agents/${open.id}/calls`;
  const phoneNumber = '+14155550144';
  await story.tell('No number', caller.post(path, { name: 'Ada' }), invalid(/^phoneNumber/));
  await story.tell('Half a number', caller.post(path, { phoneNumber: '+1 415' }), invalid(/^phoneNumber/));
  await story.tell(
    'No e-mail',
    caller.post(path, { phoneNumber, email: 'ada at example' }),
    invalid(/^email/),
  );
  await story.tell(
    'No time zone',
    caller.post(path, { phoneNumber, timezone: 'Mars/Olympus' }),
    invalid(/^timezone/),
  );
  await story.tell('No JSON', caller.postText(path, '{"phoneNumber": '), invalid(/./));
  await story.tell(
    'A caller ID that is not the team’s',
    caller.post(path, { phoneNumber, fromPhoneNumber: '+12125550199' }),
    refused(400, 'FROM_NUMBER_INVALID', /fromPhoneNumber/),
  );
  await story.tell(
    'An unknown agent',
    caller.post('/api/voice-agents/00000000-0000-4000-8000-000000000000/calls', { phoneNumber }),
    refused(500, 'AGENT_NOT_FOUND', 'Agent not found'),
  );
  await story.tell(
    'A wrong key',
    new Caller('od_live_wrong').post(path, { phoneNumber }),
    refused(500, 'INVALID_API_KEY', 'Invalid API Key for agent'),
  );
}

function invalid(message: Expected): ExpectedAnswer {
  return refused(400, 'INVALID_REQUEST', message);
}

/** The refusals met here that end by waiting. */
const RETRYABLE: ReadonlySet<string> = new Set([
  'PLAN_LIMIT',
  'NUMBER_LIMIT_DAILY',
  'NUMBER_LIMIT_WEEKLY',
  'NUMBER_LIMIT_MONTHLY',
  'RECENTLY_CALLED',
]);

/** The 500s of the contract carry `success`; no refusal carries a `callRequestId`. */
function refused(status: number, reason: string, message: Expected): ExpectedAnswer {
  return {
    status,
    body: {
      ...(status === 500 ? { success: false } : {}),
      message,
      reason,
      retryable: RETRYABLE.has(reason),
    },
  };
}
