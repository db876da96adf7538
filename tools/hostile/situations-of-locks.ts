import { randomUUID } from 'node:crypto';
import { postRequest } from '../bench/load.js';
import { type Tenant } from '../builds/tenant.js';
import { flood } from './flood.js';
import { type Answers } from '../bench/answers.js';
import {
  type Attack,
  ATTACKER,
  firstOf,
  nextNumber,
  SHARED_NUMBER,
  type Situation,
  whileHeld,
} from './situation.js';

const IN_FLIGHT = 40;
const BURST = 1_000;
/** Below the number of calls left at which a team's requests used to be taken one by one. */
const SMALL_PLAN = { monthlyCallLimit: 1_500 };

const NUMBER_LOCK = 'SELECT pg_advisory_xact_lock(number_lock_key($1, $2))';
const CONTACT_LOCK = 'SELECT FROM contacts WHERE team_id = $1 AND phone_number = $2 FOR UPDATE';

function trigger(url: string, tenant: Tenant, phoneNumber: string, keyed: boolean): Buffer {
  const headers: Record<string, string> = keyed ? { 'Idempotency-Key': randomUUID() } : {};
  const path = `/api/voice-agents/${tenant.agentId}/calls`;
  return postRequest(url, path, tenant.apiKey, { phoneNumber, name: 'Eve' }, headers);
}

let changes = 0;

function writeContact(url: string, apiKey: string, keyed: boolean): Buffer {
  const headers: Record<string, string> = keyed ? { 'Idempotency-Key': randomUUID() } : {};
  changes += 1;
  const body = { phoneNumber: SHARED_NUMBER, name: `Eve ${changes}` };
  return postRequest(url, '/api/campaigns/contact-enrollments', apiKey, body, headers);
}

function fortyInFlight({ url, until }: Attack, next: () => Buffer): Promise<Answers> {
  return flood({ url, until, next, connections: IN_FLIGHT, from: ATTACKER });
}

function triggersOfOneNumber(attack: Attack): Promise<Answers> {
  const tenant = firstOf(attack.tenants);
  return fortyInFlight(attack, () => trigger(attack.url, tenant, SHARED_NUMBER, true));
}

function holdingNumber<T>(attack: Attack, work: () => Promise<T>): Promise<T> {
  return whileHeld(attack, NUMBER_LOCK, [firstOf(attack.tenants).teamId, SHARED_NUMBER], work);
}

function holdingContact<T>(attack: Attack, work: () => Promise<T>): Promise<T> {
  return whileHeld(attack, CONTACT_LOCK, [firstOf(attack.tenants).teamId, SHARED_NUMBER], work);
}

/** Makes the contact whose row is held, once. */
async function createContact({ url, tenants, until }: Attack): Promise<void> {
  let left = 1;
  const { apiKey } = firstOf(tenants);
  await flood({
    url,
    until,
    connections: 1,
    next: () => (left-- > 0 ? writeContact(url, apiKey, false) : null),
  });
}

async function cancelOneCall(attack: Attack): Promise<Answers> {
  const { url, tenants } = attack;
  const { agentId, apiKey } = firstOf(tenants);
  const response = await fetch(`${url}/api/voice-agents/${agentId}/calls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phoneNumber: SHARED_NUMBER }),
  });
  const { callRequestId } = (await response.json()) as { callRequestId: string };
  const path = `/api/calls/${callRequestId}/cancel`;
  return holdingNumber(attack, () => fortyInFlight(attack, () => postRequest(url, path, apiKey, {})));
}

/** Three bursts, each of another team, so that none reaches its monthly call limit. */
async function bursts({ url, tenants, until }: Attack): Promise<Answers> {
  const answers: Answers = {};
  const gapMs = Math.max(0, until - performance.now()) / tenants.length;
  await Promise.all(
    tenants.map(async (tenant, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * gapMs));
      let left = BURST;
      const next = () => (left-- > 0 ? trigger(url, tenant, nextNumber(), false) : null);
      // One request a connection: all of them are in flight at once.
      await flood({ url, until, connections: BURST, next, from: ATTACKER }, answers);
    }),
  );
  return answers;
}

/** Held locks and bursts: what waits, waits for its own team. */
export const LOCK_SITUATIONS: Situation[] = [
  {
    name: 'keyed-triggers: 40 in flight to one number',
    bystander: 'trigger',
    attackers: [{}],
    failsOn5xx: true,
    attack: triggersOfOneNumber,
  },
  {
    name: 'keyed-triggers-held: the same while the number’s lock is held',
    bystander: 'trigger',
    attackers: [{}],
    failsOn5xx: false,
    attack: (attack) => holdingNumber(attack, () => triggersOfOneNumber(attack)),
  },
  {
    name: 'cancels-held: 40 in flight to one call while its number’s lock is held',
    bystander: 'trigger',
    attackers: [{}],
    failsOn5xx: false,
    attack: cancelOneCall,
  },
  {
    name: 'plan-burst: 1,000 triggers at once, three times, beside another team with a plan limit',
    bystander: 'trigger',
    bystanderLimits: SMALL_PLAN,
    attackers: [SMALL_PLAN, SMALL_PLAN, SMALL_PLAN],
    failsOn5xx: true,
    attack: bursts,
  },
  {
    name: 'contacts-held: 40 writes in flight to the same number as the other team’s, the row held',
    bystander: 'contact',
    attackers: [{}],
    failsOn5xx: false,
    prepare: createContact,
    attack: (attack) =>
      holdingContact(attack, () =>
        fortyInFlight(attack, () => writeContact(attack.url, firstOf(attack.tenants).apiKey, false)),
      ),
  },
  {
    name: 'keyed-contacts-held: the same with an Idempotency-Key',
    bystander: 'contact',
    attackers: [{}],
    failsOn5xx: false,
    prepare: createContact,
    attack: (attack) =>
      holdingContact(attack, () =>
        fortyInFlight(attack, () => writeContact(attack.url, firstOf(attack.tenants).apiKey, true)),
      ),
  },
  {
    name: 'contacts-invented-keys: 40 writes in flight to that number with made-up keys',
    bystander: 'contact',
    failsOn5xx: true,
    attack: (attack) =>
      fortyInFlight(attack, () => writeContact(attack.url, `od_live_${randomUUID()}`, false)),
  },
];
