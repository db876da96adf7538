/**
 * `npm run bench -- webhooks [--events 20000] [--rate 200] [--seconds 10] [--out file]`:
 * how many deliveries a second one worker makes to a receiver on this host.
 * Also how long an event takes from its writing to its receiver, alone and beside receivers that hang.
 */
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { publish } from './page.js';
import { Stack } from './stack.js';
import { median } from './table.js';

const TEAMS = 10;
const ENDPOINTS_PER_TEAM = 2;
/** Endpoints that never answer, in phases that say so. */
const HANGING = 20;
const BEAT_MS = 100;

/** Takes every event and notes how long it took to arrive; below /hang it never answers. */
class Receiver {
  received = 0;
  delaysMs: number[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/hang') return;
      const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string };
      this.delaysMs.push(Date.now() - Date.parse(timestamp));
      this.received += 1;
      response.writeHead(204).end();
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits for so many requests more than there were at the last reset. */
  async until(count: number): Promise<void> {
    while (this.received < count) await pause(10);
  }

  reset(): void {
    this.received = 0;
    this.delaysMs = [];
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '20000' },
      rate: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '10' },
      out: { type: 'string' },
    },
  });
  const [events, rate, seconds] = [values.events, values.rate, values.seconds].map(Number) as [
    number,
    number,
    number,
  ];
  const stack = await Stack.start();
  const receiver = new Receiver();
  const stop = () => void stack.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await publish('webhooks', await measure(stack, receiver, { events, rate, seconds }), values.out);
  } finally {
    receiver.close();
    await stack.close();
  }
}

async function measure(
  stack: Stack,
  receiver: Receiver,
  { events, rate, seconds }: { events: number; rate: number; seconds: number },
): Promise<string> {
  const url = await receiver.listen();
  const loadBefore = (loadavg()[0] ?? 0).toFixed(1);
  const { rows: teams } = await stack.db.query<{ id: string }>(
    `INSERT INTO teams (name) SELECT 'Team ' || n FROM generate_series(1, ${TEAMS}) n RETURNING id`,
  );
  await addEndpoints(stack, `${url}/`, ENDPOINTS_PER_TEAM);
  const worker = await stack.startWorker({ WEBHOOKS_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'error' });
  const pids = [worker.program.pid ?? 0];
  const write = async (count: number) => {
    await stack.db.query(
      `SELECT add_event(t.id, 'contact.opted_out', NULL, jsonb_build_object('phone_number', '+14155550100', 'custom_properties', '{}'::jsonb))
       FROM unnest($1::uuid[]) AS t (id), generate_series(1, $2)`,
      [teams.map(({ id }) => id), Math.ceil(count / TEAMS)],
    );
    return Math.ceil(count / TEAMS) * TEAMS * ENDPOINTS_PER_TEAM;
  };
  // The first one opens connections and plans statements.
  await receiver.until(await write(1_000));
  receiver.reset();
  console.error(`${events} events at once …`);
  const cpu = stack.cpu(pids);
  const startedAt = performance.now();
  const deliveries = await write(events);
  await receiver.until(deliveries);
  const tookMs = performance.now() - startedAt;
  const after = stack.cpu(pids);
  const steady = async () => {
    receiver.reset();
    let wanted = 0;
    for (let beat = 0; beat < (seconds * 1_000) / BEAT_MS; beat += 1) {
      const [added] = await Promise.all([write(rate / (1_000 / BEAT_MS)), pause(BEAT_MS)]);
      wanted += added;
    }
    await receiver.until(wanted);
    return [...receiver.delaysMs].sort((a, b) => a - b);
  };
  console.error(`${rate} events a second …`);
  const alone = await steady();
  await addEndpoints(stack, `${url}/hang`, HANGING / TEAMS);
  console.error(`the same beside ${HANGING} endpoints that hang …`);
  const beside = await steady();
  const perSecond = Math.round((deliveries / tookMs) * 1_000);
  const micros = (kind: 'node' | 'postgres') => Math.round((after[kind] - cpu[kind]) / deliveries);
  const line = (name: string, delays: number[]) =>
    `| ${name} | ${Math.round(median(delays))} | ${Math.round(delays[Math.floor(delays.length * 0.99)] ?? NaN)} |`;
  return `## Webhooks

${perSecond < 1_000 ? `- **Target missed:** ${perSecond} deliveries a second instead of 1,000.\n\n` : ''}\`npm run bench -- webhooks\` sends events of ${TEAMS} teams, each with ${ENDPOINTS_PER_TEAM} endpoints, from one worker to a
receiver in another process. The load, the receiver, the worker, Postgres and Redis share ${cpus().length} cores. Versions:
Node ${process.versions.node}, Postgres with synchronous commit. The load average at the start was ${loadBefore}.

**${perSecond} deliveries a second**, from the writing of ${events} events in one transaction to the last of their
${deliveries} deliveries; the target is 1,000. A delivery takes ${micros('node')} µs of CPU in the worker and ${micros('postgres')} µs in Postgres, the writing and
numbering of events included.

From the writing of an event to its arrival, at ${rate} events and ${rate * ENDPOINTS_PER_TEAM} deliveries a second, in milliseconds:

|  | p50 | p99 |
| --- | ---: | ---: |
${line('alone', alone)}
${line(`beside ${HANGING} endpoints that hang`, beside)}

Most of this time is the wait for the sequencer, which looks for new events every 200 ms.
`;
}

async function addEndpoints(stack: Stack, url: string, perTeam: number): Promise<void> {
  await stack.db.query(
    `INSERT INTO webhook_endpoints (team_id, url, secret)
     SELECT t.id, $1, 'whsec_' || encode(sha256(random()::text::bytea), 'base64') FROM teams t, generate_series(1, $2)`,
    [url, perTeam],
  );
}

void main();
