/**
 * `npm run bench -- imports [--rows 100000] [--rounds 3] [--seconds 15] [--rates 20,100] [--exported 1000000]
 * [--out file]`: how long an import takes, what it costs the trigger, and what exports
 * of lists take. In each round requests come at a steady rate, first without and then beside an import with
 * enrollments; at each of the rates in turn.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { probe, type ProbeRequest } from './probe.js';
import { cpuOf } from './cpu.js';
import { apiKeyOf, fill, type Group, phoneOf, SQL, teamOf } from './data.js';
import { exportLists } from './exports.js';
import { Growth } from './growth.js';
import { importsReport, type Round, type Rounds } from './imports-report.js';
import { idsOf } from './requests.js';
import { publish } from './page.js';
import { type Measured, Stack } from './stack.js';
import { figure } from './table.js';

const TEAMS = 20;
/** Contacts to be called, each once. */
const CONTACTS = 60_000;
const WARM_UP_MS = 5_000;
const SAMPLE_MS = 100;
/** Of 16 MB each; an import of 100,000 rows writes 16 of them. */
const LOG_FILES = 32;
const MICROSECONDS = 1_000_000;

interface Options {
  rows: number;
  rounds: number;
  seconds: number;
  /** Rows of each list that is exported. */
  exported: number;
  /** Requests a second. */
  rates: number[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '15' },
      rates: { type: 'string', default: '20,100' },
      exported: { type: 'string', default: '1000000' },
      out: { type: 'string' },
    },
  });
  const options = {
    rows: Number(values.rows),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    exported: Number(values.exported),
    rates: values.rates.split(',').map(Number),
  };
  const stack = await Stack.start();
  const stop = () => void stack.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await publish('imports', await measure(stack, options), values.out);
  } finally {
    await stack.close();
  }
}

async function measure(stack: Stack, options: Options): Promise<string> {
  const called: Group = { firstTeam: 0, teams: TEAMS, firstContact: 0, contacts: CONTACTS, calls: 0 };
  const importing: Group = { ...called, firstTeam: TEAMS, teams: 1, firstContact: CONTACTS, contacts: 0 };
  console.error('Filling the database …');
  await fill(stack.db, [called, importing]);
  await makeLogFiles(stack);
  const processes = { api: await stack.startApi(), worker: await stack.startWorker() };
  const next = await triggersOf(stack, called);
  const { campaigns } = await idsOf(stack.db, [called, importing]);
  const probing = (goOn: () => boolean, rate: number) => probe(processes.api.url, next, goOn, rate);
  const forMs = (ms: number) => {
    const until = performance.now() + ms;
    return () => performance.now() < until;
  };
  await probing(forMs(WARM_UP_MS), Math.max(...options.rates));
  const body = csvOf(options.rows);
  const rounds: Rounds = new Map(options.rates.map((rate) => [rate, []]));
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const [rate, measured] of rounds) {
      const without = await probing(forMs(options.seconds * 1_000), rate);
      let running = true;
      const imported = importOnce(stack, processes, String(campaigns.get(TEAMS)), body).finally(
        () => (running = false),
      );
      const beside = await probing(() => running, rate);
      const took = await imported;
      measured.push({ without, beside, ...took });
      console.error(
        `round ${round}, ${rate} a second: ${figure(took.seconds, 1)} s (CPU ${figure(took.apiCpu, 1)}, ${figure(took.workerCpu, 1)}, ` +
          `${figure(took.postgresCpu, 1)}), p99 ${figure(without.p99, 1)} and ${figure(beside.p99, 1)} ms, ` +
          `grown by ${figure(took.api)} and ${figure(took.worker)} MB`,
      );
      await forget(stack);
    }
  }
  console.error(`Filling ${options.exported} contacts and calls to export …`);
  const exporting = { firstTeam: TEAMS + 1, teams: 1, firstContact: CONTACTS };
  await fill(stack.db, [{ ...exporting, contacts: options.exported, calls: options.exported }]);
  const exported = await exportLists(processes.api, apiKeyOf(TEAMS + 1));
  return importsReport(rounds, exported, options.rows, options.seconds);
}

async function importOnce(
  stack: Stack,
  { api, worker }: Record<'api' | 'worker', Measured>,
  campaignId: string,
  body: Blob,
): Promise<Omit<Round, 'without' | 'beside'>> {
  const headers = { Authorization: `Bearer ${apiKeyOf(TEAMS)}`, 'Content-Type': 'text/csv' };
  const grown = { api: new Growth(api), worker: new Growth(worker) };
  await Promise.all([grown.api.begin(), grown.worker.begin()]);
  const used = () => cpuSeconds(stack, api, worker);
  const before = used();
  const started = performance.now();
  const sampling = new AbortController();
  const sampled = (async () => {
    while (!sampling.signal.aborted) {
      await Promise.all([grown.api.sample(), grown.worker.sample()]);
      await pause(SAMPLE_MS);
    }
  })();
  const answer = await fetch(`${api.url}/api/imports?campaignId=${campaignId}&mode=create`, {
    method: 'POST',
    headers,
    body,
  });
  const { importId } = (await answer.json()) as { importId?: string };
  if (importId === undefined) throw new Error(`the import was refused: ${answer.status}`);
  const uploadSeconds = (performance.now() - started) / 1_000;
  for (;;) {
    const read = await fetch(`${api.url}/api/imports/${importId}`, { headers });
    const view = (await read.json()) as { status: string; rows: number; enrolled: number };
    if (view.status === 'finished' && view.enrolled === view.rows) break;
    if (view.status !== 'running') throw new Error(`the import ended otherwise: ${JSON.stringify(view)}`);
    await pause(SAMPLE_MS);
  }
  const seconds = (performance.now() - started) / 1_000;
  const after = used();
  sampling.abort();
  await sampled;
  return {
    seconds,
    uploadSeconds,
    api: grown.api.megabytes,
    worker: grown.worker.megabytes,
    apiCpu: after.api - before.api,
    workerCpu: after.worker - before.worker,
    postgresCpu: after.postgres - before.postgres,
  };
}

function cpuSeconds(stack: Stack, api: Measured, worker: Measured) {
  const of = ({ program }: Measured) => cpuOf(program.pid ?? 0) / MICROSECONDS;
  return { api: of(api), worker: of(worker), postgres: stack.cpu([]).postgres / MICROSECONDS };
}

async function triggersOf(stack: Stack, group: Group): Promise<() => ProbeRequest> {
  const { agents } = await idsOf(stack.db, [group]);
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

/**
 * Postgres creates a file of its log once, and then uses it again. On a server that has just begun, commits
 * would wait for new files while the import writes.
 */
async function makeLogFiles({ db }: Stack): Promise<void> {
  await db.query(`ALTER SYSTEM SET min_wal_size = '1GB'`);
  await db.query('SELECT pg_reload_conf()');
  for (let file = 0; file < LOG_FILES; file += 1) {
    // A file without an entry is not left.
    await db.query(`SELECT pg_logical_emit_message(false, 'bench', 'next file')`);
    await db.query('SELECT pg_switch_wal()');
  }
  await db.query('CHECKPOINT');
}

/** Removes what a round imported: the next round imports the same rows. */
async function forget({ db }: Stack): Promise<void> {
  const team = SQL.team(String(TEAMS));
  for (const from of ['enrollments', 'contacts', 'import_results', 'imports']) {
    await db.query(`DELETE FROM ${from} WHERE team_id = ${team}`);
  }
  await db.query('VACUUM ANALYZE enrollments, contacts, import_results, import_chunks, imports');
  await db.query('CHECKPOINT');
}

/** As a blob, which is sent in pieces: the requests of the load come from the same event loop. */
function csvOf(rows: number): Blob {
  const lines = Array.from(
    { length: rows },
    (_, n) => `+1415${2_000_000 + n},Person ${n},person${n}@example.com,Company ${n % 1000},gold,${n}`,
  );
  return new Blob([['phoneNumber,name,email,companyName,plan,customerId', ...lines, ''].join('\n')]);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
