import { OPERATOR_TOKEN } from './deployment.js';

/** A team with a key, an agent that may dial at any time, and an active campaign. */
export interface Tenant {
  teamId: string;
  agentId: string;
  apiKey: string;
  campaignId: string;
}

const CALLER_ID = '+16502530000';

/**
 * Without the limits that a new team and a new campaign have by default, because the tenant is for measurements.
 *
 * @param limits fields of the team, such as `monthlyCallLimit`.
 */
export async function createTenant(url: string, name: string, limits: object = {}): Promise<Tenant> {
  const team = await asOperator(url, 'POST', '/api/admin/teams', {
    name,
    maxConcurrentCalls: null,
    ...limits,
  });
  const teamId = String(team.id);
  const path = `/api/admin/teams/${teamId}`;
  const key = await asOperator(url, 'POST', `${path}/api-keys`, { name: 'Key' });
  await asOperator(url, 'POST', `${path}/phone-numbers`, { phoneNumber: CALLER_ID });
  const agent = await asOperator(url, 'POST', `${path}/voice-agents`, {
    name: 'Agent',
    timezone: 'America/New_York',
    callingHours: null,
    promptTemplate: 'You call {{contact.name}} of {{contact.companyName}} about {{topic}}.',
    outboundPhoneNumber: CALLER_ID,
  });
  const campaign = await asOperator(url, 'POST', `${path}/campaigns`, {
    name: 'Campaign',
    status: 'active',
    pacing: { callsPerMinute: null },
  });
  return {
    teamId,
    agentId: String(agent.id),
    apiKey: String(key.key),
    campaignId: String(campaign.id),
  };
}

/** @throws for any answer but 2xx. */
export async function asOperator(
  url: string,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
