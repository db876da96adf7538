import { type AgentHours, closedNow, openingSoon, openNow } from './hours.js';
import { Caller, type Story, textOf } from './story.js';

/** A team with its key, as the operator made it. */
export interface DemoTeam {
  teamId: string;
  key: string;
  caller: Caller;
  numbers: string[];
}

export interface Agent extends AgentHours {
  id: string;
  name: string;
}

/** The demo's main team. */
export interface DemoCast extends DemoTeam {
  open: Agent;
  closed: Agent;
  /** Opens at the next full minute or the one after it. */
  soon: Agent;
}

/** A team with one agent, which may dial at any time. */
export interface AlwaysOpenTeam extends DemoTeam {
  agentId: string;
}

const SALES = {
  promptTemplate:
    'You call {{contact.name}} of {{contact.companyName}}, a {{contact.plan}} customer, about {{topic}}. ' +
    'Mention that {{offer.name}} costs {{offer.price}} a month.',
  firstMessageTemplate: 'Hello {{contact.name}}, do you have a minute for {{topic}}?',
};

const REMINDER = {
  promptTemplate: 'Remind {{contact.name}} of {{topic}}.',
  firstMessageTemplate: 'Good morning, {{contact}}!',
};

/** Makes the team of the demo, with agents that are open now, closed now, and about to open. */
export async function makeCast(story: Story, operator: Caller): Promise<DemoCast> {
  const numbers = ['+14155550101', '+14155550102'];
  const team = await makeTeam(story, operator, 'Demo', numbers);
  const pool = await story.mention(
    operator.post(`${pathOf(team)}/number-pools`, { name: 'San Francisco', phoneNumbers: numbers }),
    201,
  );
  const numberPoolId = textOf(pool, 'id');
  const makeAgent = (name: string, hours: AgentHours, note: string) =>
    agentOf(story, operator, team, { name, hours, note, more: { ...SALES, numberPoolId } });
  const open = openNow();
  const closed = closedNow();
  return {
    ...team,
    open: await makeAgent(
      'Day shift',
      open,
      `open: 09:00–17:00 in ${open.timezone}, where it is ${open.localTime}`,
    ),
    closed: await makeAgent(
      'Other side of the world',
      closed,
      `closed: 09:00–17:00 in ${closed.timezone}, where it is ${closed.localTime}`,
    ),
    // Last, and its calls next: its minute must not pass before they are placed.
    soon: await soonAgent(story, operator, team),
  };
}

/** Makes the team on which the guardrails are shown. */
export function makeLimitedTeam(story: Story, operator: Caller): Promise<AlwaysOpenTeam> {
  return makeAlwaysOpenTeam(story, operator, 'Demo with limits', '+12125550101');
}

/**
 * Makes the team of the campaign. Its campaigns may retry within the twelve hours in which a number is not
 * called again.
 */
export async function makeCampaignTeam(story: Story, operator: Caller): Promise<AlwaysOpenTeam> {
  const team = await makeAlwaysOpenTeam(story, operator, 'Demo with a campaign', '+13125550101');
  await story.mention(operator.patch(pathOf(team), { retryWithinRedialWindow: true }), 200);
  return team;
}

async function makeAlwaysOpenTeam(
  story: Story,
  operator: Caller,
  name: string,
  number: string,
): Promise<AlwaysOpenTeam> {
  const team = await makeTeam(story, operator, name, [number]);
  const agent = await story.mention(
    operator.post(`${pathOf(team)}/voice-agents`, {
      name: 'Night and day',
      timezone: 'UTC',
      callingHours: null,
      outboundPhoneNumber: number,
    }),
    201,
  );
  return { ...team, agentId: textOf(agent, 'id') };
}

/** The operator's path of a team. */
export function pathOf({ teamId }: Pick<DemoTeam, 'teamId'>): string {
  return `/api/admin/teams/${teamId}`;
}

async function makeTeam(story: Story, operator: Caller, name: string, numbers: string[]): Promise<DemoTeam> {
  const team = await story.mention(operator.post('/api/admin/teams', { name, defaultCountry: 'US' }), 201);
  const teamId = textOf(team, 'id');
  const path = pathOf({ teamId });
  const answer = await story.mention(operator.post(`${path}/api-keys`, { name: 'demo' }), 201);
  const key = textOf(answer, 'key');
  for (const phoneNumber of numbers) {
    await story.mention(operator.post(`${path}/phone-numbers`, { phoneNumber }), 201);
  }
  return { teamId, key, numbers, caller: new Caller(key) };
}

function soonAgent(story: Story, operator: Caller, team: DemoTeam): Promise<Agent> {
  const hours = openingSoon();
  const seconds = Math.round((hours.opensAt.getTime() - Date.now()) / 1_000);
  const note = `opens at ${hours.opensAt.toISOString()}, in ${seconds} seconds`;
  const more = { ...REMINDER, outboundPhoneNumber: team.numbers[0] };
  return agentOf(story, operator, team, { name: 'Early bird', hours, note, more });
}

async function agentOf(
  story: Story,
  operator: Caller,
  team: DemoTeam,
  agent: { name: string; hours: AgentHours; note: string; more: object },
): Promise<Agent> {
  const { name, hours, note, more } = agent;
  const request = operator.post(`${pathOf(team)}/voice-agents`, {
    name,
    timezone: hours.timezone,
    callingHours: hours.callingHours,
    ...more,
  });
  const answer = await story.mention(request, 201, `“${name}”, ${note}`);
  return { ...hours, name, id: textOf(answer, 'id') };
}
