import { randomUUID } from 'node:crypto';
import { postRequest } from '../bench/load.js';
import { type Answers } from '../bench/answers.js';
import { flood } from './flood.js';
import { type Attack, ATTACKER, CUSTOMER, firstOf, nextNumber, type Situation } from './situation.js';

const A_SECOND = 1_300;
const CONNECTIONS = 130;
const SIMULTANEOUS = 1_000;

/** So many a second, as long as each is answered within its connection's gap. */
function steadily({ url, until }: Attack, next: () => Buffer): Promise<Answers> {
  const gapMs = (CONNECTIONS / A_SECOND) * 1_000;
  return flood({ url, until, next, gapMs, spread: true, connections: CONNECTIONS, from: ATTACKER });
}

function wrongToken(url: string): Buffer {
  return Buffer.from(
    `GET /api/admin/teams HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${randomUUID()}\r\n\r\n`,
  );
}

function unserved(answers: Answers): string | null {
  const other = Object.entries(answers).filter(([answer]) => answer !== '200');
  return other.length > 0 ? 'a customer with a valid key was not served' : null;
}

/** Requests without a valid key, and a customer with one whose requests come from a single address. */
export const KEY_SITUATIONS: Situation[] = [
  {
    name: 'wrong-tokens: 1,300 wrong operator tokens a second',
    byStrangers: true,
    bystander: 'trigger',
    failsOn5xx: true,
    attack: (attack) => steadily(attack, () => wrongToken(attack.url)),
  },
  {
    name: 'invented-keys: 1,300 triggers a second, each with a key of its own invention',
    byStrangers: true,
    bystander: 'trigger',
    failsOn5xx: true,
    attack: (attack) => {
      const path = `/api/voice-agents/${randomUUID()}/calls`;
      return steadily(attack, () =>
        postRequest(attack.url, path, `od_live_${randomUUID()}`, { phoneNumber: nextNumber() }),
      );
    },
  },
  {
    name: 'invented-contacts: 1,300 contacts a second, the same way',
    byStrangers: true,
    bystander: 'contact',
    failsOn5xx: true,
    attack: (attack) =>
      steadily(attack, () =>
        postRequest(attack.url, '/api/contacts', `od_live_${randomUUID()}`, { phoneNumber: nextNumber() }),
      ),
  },
  {
    name: 'one-address: 1,000 connections of one customer with a valid key, 200 triggers a second',
    bystander: 'trigger',
    attackers: [{}],
    failsOn5xx: true,
    attack: ({ url, until, tenants }) => {
      const { agentId, apiKey } = firstOf(tenants);
      const next = () =>
        postRequest(url, `/api/voice-agents/${agentId}/calls`, apiKey, { phoneNumber: nextNumber() });
      return flood({
        url,
        until,
        next,
        gapMs: 5_000,
        spread: true,
        connections: SIMULTANEOUS,
        from: CUSTOMER,
      });
    },
    fault: unserved,
  },
];
