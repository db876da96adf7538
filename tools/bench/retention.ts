/**
 * `npm run bench -- retention [--calls 600000] [--rounds 5] [--seconds 8]`: what the removal of old calls
 * costs the trigger. Slices with and without the retention at work follow each other (A B B A …) on one
 * database. Requests come at a steady rate, and times count from when a request was due. Prints the trigger's
 * p50 and p99 of both and their ratios.
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Logger } from '@nestjs/common';
import { type Pool } from 'pg';
import { RetentionService } from '../../src/calls/recovery/retention.service.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { type Metrics } from '../../src/telemetry/metrics.js';
import { thisBuild } from '../builds/built-commit.js';
import { Deployment } from '../builds/deployment.js';
import { type Servers, startServers } from '../builds/servers.js';
import { type Probed, probe, type ProbeRequest } from './probe.js';
import { apiKeyOf, fill, type Group, phoneOf, teamOf } from './data.js';
import { idsOf } from './requests.js';
import { pairedRatio } from './statistics.js';

const TEAMS = 20;
/** Contacts to be called, each once. */
const CONTACTS = 50_000;
/** Older than the days for which calls are kept. */
const DAYS_AGO = 400;
const RATE = 100;
const WARM_UP_MS = 5_000;

interface Slice {
  probed: Probed;
  removed: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '600000' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '8' },
    },
  });
  const [calls, rounds, seconds] = [values.calls, values.rounds, values.seconds].map(Number) as [
    number,
    number,
    number,
  ];
  Logger.overrideLogger(false);
  const servers = await startServers('retention');
  const stop = () => void servers.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    console.log(await measure(servers, { calls, rounds, seconds }));
  } finally {
    await servers.close();
  }
}

async function measure(
  servers: Servers,
  { calls, rounds, seconds }: { calls: number; rounds: number; seconds: number },
): Promise<string> {
  const build = await thisBuild(join(servers.directory, 'this'));
  const deployment = await Deployment.start(servers, build, 'retention', { API_RATE_LIMIT: '0' }, ['api']);
  const remover = new Remover(deployment.databaseUrl);
  try {
    console.error(`Filling the database with ${calls} old calls …`);
    const called: Group = { firstTeam: 0, teams: TEAMS, firstContact: 0, contacts: CONTACTS, calls: 0 };
    const old = {
      ...called,
      firstTeam: TEAMS,
      firstContact: CONTACTS,
      contacts: calls,
      calls,
      daysAgo: DAYS_AGO,
    };
    await fill(deployment.db, [called, old]);
    const next = await triggersOf(deployment.db, called);
    const slice = (ms: number) => {
      const until = performance.now() + ms;
      return probe(deployment.url, next, () => performance.now() < until, RATE);
    };
    await slice(WARM_UP_MS);
    const [without, beside]: [Slice[], Slice[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      const pair = [
        async () => without.push({ probed: await slice(seconds * 1_000), removed: 0 }),
        async () => beside.push(await remover.during(() => slice(seconds * 1_000))),
      ];
      for (const measureOne of round % 2 === 0 ? pair : pair.reverse()) await measureOne();
      console.error(`round ${round + 1}: ${lineOf(without.at(-1))} without, ${lineOf(beside.at(-1))} beside`);
    }
    return reportOf(without, beside, seconds);
  } finally {
    await remover.close();
    await deployment.close();
  }
}

/** The retention of a worker, in this process. */
class Remover {
  private removed = 0;
  private readonly transactions: PooledTransactions;
  private readonly retention: RetentionService;

  constructor(databaseUrl: string) {
    this.transactions = new PooledTransactions({
      databaseUrl,
      poolSize: 2,
      role: RESTRICTED_ROLE,
      transactionPooling: false,
      onError: () => undefined,
    });
    const metrics: Pick<Metrics, 'rowsRemoved'> = {
      rowsRemoved: (_, rows) => {
        this.removed += rows;
      },
    };
    this.retention = new RetentionService(this.transactions, metrics as Metrics);
  }

  async during(run: () => Promise<Probed>): Promise<Slice> {
    const before = this.removed;
    const stopping = new AbortController();
    const removing = this.retention.removeCalls(stopping.signal);
    try {
      return { probed: await run(), removed: this.removed - before };
    } finally {
      stopping.abort();
      await removing;
    }
  }

  close(): Promise<void> {
    return this.transactions.close();
  }
}

async function triggersOf(db: Pool, group: Group): Promise<() => ProbeRequest> {
  const { agents } = await idsOf(db, [group]);
  let contact = group.firstContact;
  return () => {
    contact += 1;
    const team = teamOf(group, contact);
    return {
      path: `/api/voice-agents/${agents.get(team)}/calls`,
      apiKey: apiKeyOf(team),
      body: { phoneNumber: phoneOf(contact), name: `Contact ${contact}`, topic: 'the appointment' },
    };
  };
}

const figure = (ms: number) => `${ms.toFixed(1)} ms`;
const lineOf = (slice: Slice | undefined) => figure(slice?.probed.p99 ?? NaN);

function reportOf(without: Slice[], beside: Slice[], seconds: number): string {
  const removed = beside.map((slice) => slice.removed);
  const lines = (['p50', 'p99'] as const).map((part) => {
    const of = (slices: Slice[]) => slices.map(({ probed }) => probed[part]);
    const { ratio, low, high } = pairedRatio(of(beside), of(without));
    const each = [median(of(without)), median(of(beside))].map(figure).join(' | ');
    return `| ${part} | ${each} | ${ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}) |`;
  });
  const answers = [...without, ...beside].map(({ probed }) => probed.answers);
  const unexpected = answers.flatMap(Object.keys).filter((name) => name !== '200');
  return [
    `| trigger, ${RATE}/s | without | beside the retention | ratio |`,
    '| --- | --- | --- | --- |',
    ...lines,
    '',
    `Removed: ${Math.round(Math.min(...removed) / seconds)} to ${Math.round(Math.max(...removed) / seconds)} calls a second.`,
    ...(removed.includes(0) ? ['**Nothing was left to remove in some slices: use more --calls.**'] : []),
    ...(unexpected.length > 0 ? [`Other answers than 200: ${[...new Set(unexpected)].join(', ')}`] : []),
  ].join('\n');
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
});
