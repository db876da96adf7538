import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { postRequest } from '../bench/load.js';
import { OPERATOR_TOKEN } from '../builds/deployment.js';
import { type Answers, count } from '../bench/answers.js';
import { answerReader, flood } from './flood.js';
import { type Attack, ATTACKER, firstOf, nextNumber, type Situation } from './situation.js';

const IN_FLIGHT = 120;
const MANY_OBJECTS = `[${Array.from({ length: 87_000 }, () => '{}').join(',')}]`;
const CONTACTS = '/api/contacts';

function rawRequest(url: string, path: string, headers: Record<string, string>, body: Buffer): Buffer {
  const lines = Object.entries({ 'Content-Length': String(body.length), ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Type: application/json\r\n`;
  return Buffer.concat([Buffer.from(`${head}${lines.join('')}\r\n`), body]);
}

function bombs({ url, until }: Attack, request: Buffer): Promise<Answers> {
  return flood({ url, until, connections: IN_FLIGHT, next: () => request, from: ATTACKER });
}

const LISTED = 220;
const VARIABLES_BYTES = [245_000, 64_000];

/** Calls with as large variables as the server takes. */
async function createLargeCalls({ url, until, tenants }: Attack): Promise<void> {
  const { agentId, apiKey } = firstOf(tenants);
  const path = `/api/voice-agents/${agentId}/calls`;
  for (const bytes of VARIABLES_BYTES) {
    let left = LISTED;
    const next = () =>
      left-- > 0
        ? postRequest(url, path, apiKey, { phoneNumber: nextNumber(), text: 'x'.repeat(bytes) })
        : null;
    const answers = await flood({ url, until, connections: 4, next });
    if ((answers['200'] ?? 0) > 0) return;
  }
}

function listCalls({ url, until, tenants }: Attack): Promise<Answers> {
  const path = `/api/admin/teams/${firstOf(tenants).teamId}/calls?limit=200`;
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${OPERATOR_TOKEN}\r\n\r\n`,
  );
  return flood({ url, until, connections: 4, next: () => request, from: ATTACKER });
}

const UNFINISHED = 1_500;
const BODY_BYTES = 250_000;
/** The server's limit is 20 s; its own check of it comes up to ten seconds later. */
const DRIP_SECONDS = 35;

/**
 * Connections that send `first`, and then `drip` every second; those still open at the end are counted as
 * `open`.
 */
async function hold(
  { url, until }: Attack,
  connections: number,
  first: Buffer,
  drip?: Buffer,
): Promise<Answers> {
  const answers: Answers = {};
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: connections }, (): Socket => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: ATTACKER });
    socket.on('connect', () => socket.write(first));
    socket.on(
      'data',
      answerReader((answer) => count(answers, answer)),
    );
    socket.on('error', () => undefined);
    socket.on('close', () => count(answers, 'closed'));
    return socket;
  });
  const timer = setInterval(() => {
    if (drip) for (const socket of sockets) if (!socket.destroyed) socket.write(drip);
  }, 1_000);
  await new Promise((resolve) => setTimeout(resolve, until - performance.now()));
  clearInterval(timer);
  for (const socket of sockets) {
    if (!socket.destroyed) count(answers, 'open');
    socket.removeAllListeners('close');
    socket.destroy();
  }
  return answers;
}

function unfinished(attack: Attack, apiKey: string, connections: number): Promise<Answers> {
  const whole = rawRequest(
    attack.url,
    CONTACTS,
    { Authorization: `Bearer ${apiKey}` },
    Buffer.alloc(BODY_BYTES, ' '),
  );
  return hold(attack, connections, whole.subarray(0, -1));
}

function dripping(attack: Attack, apiKey: string): Promise<Answers> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Length': String(BODY_BYTES) };
  return hold(attack, 50, rawRequest(attack.url, CONTACTS, headers, Buffer.from('{')), Buffer.from(' '));
}

/** nginx limits only the pause between two bytes, and the API does not see a body before its end. */
const noneOpen = ({ open = 0 }: Answers, isDirect: boolean) =>
  isDirect && open > 0 ? `${open} dripping bodies were still read after ${DRIP_SECONDS} s` : null;

/** Bodies and answers that cost more than their size suggests. */
export const BODY_SITUATIONS: Situation[] = [
  {
    name: 'gzip: 120 compressed bodies of 87,000 objects in flight, no key',
    byStrangers: true,
    bystander: 'trigger',
    failsOn5xx: true,
    attack: (attack) =>
      bombs(attack, rawRequest(attack.url, CONTACTS, { 'Content-Encoding': 'gzip' }, gzipSync(MANY_OBJECTS))),
  },
  {
    name: 'brotli: the same',
    byStrangers: true,
    bystander: 'trigger',
    failsOn5xx: true,
    attack: (attack) =>
      bombs(
        attack,
        rawRequest(attack.url, CONTACTS, { 'Content-Encoding': 'br' }, brotliCompressSync(MANY_OBJECTS)),
      ),
  },
  {
    name: 'objects: the same uncompressed',
    byStrangers: true,
    bystander: 'trigger',
    failsOn5xx: true,
    attack: (attack) => bombs(attack, rawRequest(attack.url, CONTACTS, {}, Buffer.from(MANY_OBJECTS))),
  },
  {
    name: 'objects-keyed: the same with a key',
    bystander: 'trigger',
    attackers: [{}],
    failsOn5xx: true,
    attack: (attack) => {
      const headers = { Authorization: `Bearer ${firstOf(attack.tenants).apiKey}` };
      return bombs(attack, rawRequest(attack.url, CONTACTS, headers, Buffer.from(MANY_OBJECTS)));
    },
  },
  {
    name: 'large-list: the operator lists 220 calls with large variables, 4 in flight',
    bystander: 'trigger',
    attackers: [{}],
    failsOn5xx: true,
    prepare: createLargeCalls,
    attack: listCalls,
  },
  {
    name: 'one-byte-short: 1,500 connections with an invented key stop before the last byte',
    byStrangers: true,
    bystander: 'trigger',
    failsOn5xx: true,
    attack: (attack) => unfinished(attack, `od_live_${randomUUID()}`, UNFINISHED),
  },
  {
    name: 'one-byte-short-keyed: the same with a key',
    bystander: 'trigger',
    attackers: [{}],
    failsOn5xx: true,
    attack: (attack) => unfinished(attack, firstOf(attack.tenants).apiKey, UNFINISHED),
  },
  {
    name: 'dripping: 50 bodies with a key, a byte a second',
    bystander: 'trigger',
    attackers: [{}],
    failsOn5xx: true,
    seconds: DRIP_SECONDS,
    attack: (attack) => dripping(attack, firstOf(attack.tenants).apiKey),
    fault: noneOpen,
  },
];
