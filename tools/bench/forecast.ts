/**
 * `npm run bench -- forecast [--enrollments 100000] [--rounds 3] [--out file]`: how long a forecast of so many live enrollments takes, and of as many made-up contacts, and whether the API
 * goes on meanwhile.
 */
import { parseArgs } from 'node:util';
import { loadavg } from 'node:os';
import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { type ForecastResource } from '../../src/campaigns/forecast/forecast.dto.js';
import { fill, SQL } from './data.js';
import { publish } from './page.js';
import { type Measured, Stack } from './stack.js';
import { figure, median, missedTargets, table } from './table.js';

const TOKEN = 'operator-token-of-the-benchmark';
const FROM = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000);
const DAYS = 30;
const REQUEST = {
  from: FROM.toISOString(),
  until: new Date(FROM.getTime() + DAYS * 86_400_000).toISOString(),
  concurrency: 300,
  seed: 7,
  assume: { completed: 0.3, no_answer: 0.45, busy: 0.1, voicemail: 0.1, seconds: 60 },
};
const WORKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const ZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'];

interface Round {
  seconds: number;
  /** Of the API's process with the thread, and of Postgres; in seconds of CPU. */
  node: number;
  postgres: number;
  /** The longest that a probe of the API waited meanwhile, in ms. */
  probeMs: number;
  dials: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      enrollments: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '3' },
      out: { type: 'string' },
    },
  });
  const [enrollments, rounds] = [Number(values.enrollments), Number(values.rounds)];
  const stack = await Stack.start();
  const stop = () => void stack.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    console.error('Filling the database …');
    await prepare(stack, enrollments);
    const api = await stack.startApi();
    const load = loadavg()[0] ?? NaN;
    const live: Round[] = [];
    const madeUp: Round[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      live.push(await measure(stack, api, REQUEST));
      madeUp.push(await measure(stack, api, { ...REQUEST, contacts: enrollments, zones: ZONES }));
      console.error(`round ${round}  ${JSON.stringify({ live: live.at(-1), madeUp: madeUp.at(-1) })}`);
    }
    await publish('forecast', reportOf({ enrollments, rounds, load, live, madeUp }), values.out);
  } finally {
    await stack.close();
  }
}

/** A campaign of two steps in four zones; half of its contacts were called before. */
async function prepare(stack: Stack, enrollments: number): Promise<void> {
  await fill(stack.db, [
    { firstTeam: 0, teams: 1, firstContact: 0, contacts: enrollments, calls: enrollments / 2 },
  ]);
  const hours = Object.fromEntries(WORKDAYS.map((day) => [day, [{ start: '09:00', end: '18:00' }]]));
  const agentId = SQL.agent('0');
  await stack.db.query(`UPDATE contacts SET timezone = ($1::text[])[1 + hashtext(phone_number) & 3]`, [
    ZONES,
  ]);
  await stack.db.query(
    `UPDATE campaign_versions SET definition_format = ${DEFINITION_FORMAT}, definition = jsonb_build_object(
       'hours', $1::jsonb, 'caps', $2::jsonb, 'steps', jsonb_build_array(
         jsonb_build_object('key', 'first', 'agentId', ${agentId}, 'retry', $3::jsonb),
         jsonb_build_object('key', 'second', 'agentId', ${agentId}, 'after', 'P3D', 'retry', $3::jsonb)))`,
    [
      JSON.stringify(hours),
      JSON.stringify({ maxAttempts: 5, perNumber: [{ count: 2, per: 'P7D' }], lifetime: 'P28D' }),
      JSON.stringify({ no_answer: ['P1D', 'P2D'], busy: ['PT13H'], voicemail: ['P3D'] }),
    ],
  );
  await stack.db.query(
    `INSERT INTO enrollments (team_id, campaign_id, contact_id, version_id)
     SELECT c.team_id, ${SQL.campaign('0')}, c.id, v.id FROM contacts c CROSS JOIN campaign_versions v`,
  );
  await stack.db.query('VACUUM ANALYZE');
}

async function measure(stack: Stack, api: Measured, body: object): Promise<Round> {
  const { rows } = await stack.db.query<{ team: string; campaign: string; version: string }>(
    `SELECT team_id AS team, campaign_id AS campaign, id AS version FROM campaign_versions`,
  );
  const { team, campaign, version } = rows[0]!;
  const address = `${api.url}/api/admin/teams/${team}/campaigns/${campaign}/versions/${version}/forecast`;
  const pids = [api.program.pid ?? 0];
  const before = stack.cpu(pids);
  const started = performance.now();
  let isPlaying = true;
  const probes = probe(api, () => isPlaying);
  const answer = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const { dials } = (await answer.json()) as ForecastResource;
  const seconds = (performance.now() - started) / 1_000;
  isPlaying = false;
  const after = stack.cpu(pids);
  return {
    seconds,
    dials,
    probeMs: await probes,
    node: (after.node - before.node) / 1e6,
    postgres: (after.postgres - before.postgres) / 1e6,
  };
}

/** Asks the API again and again. @returns the longest wait in ms. */
async function probe(api: Measured, goesOn: () => boolean): Promise<number> {
  let longest = 0;
  while (goesOn()) {
    const asked = performance.now();
    await (await fetch(`${api.url}/health/live`)).text();
    longest = Math.max(longest, performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return longest;
}

function reportOf(found: {
  enrollments: number;
  rounds: number;
  load: number;
  live: Round[];
  madeUp: Round[];
}): string {
  const { enrollments, rounds, load, live, madeUp } = found;
  const of = (all: Round[], key: keyof Round) => median(all.map((round) => round[key]));
  const cells = (key: keyof Round, digits: number) =>
    [live, madeUp].map((all) => figure(of(all, key), digits));
  const core = [live, madeUp].map((all) => figure(of(all, 'node') + of(all, 'postgres'), 1));
  const rows = [
    ['seconds from the request to the answer', ...cells('seconds', 1)],
    ['CPU of the API and its thread, s', ...cells('node', 1)],
    ['CPU of Postgres, s', ...cells('postgres', 1)],
    ['both, on one core, s', ...core],
    ['dials', ...cells('dials', 0)],
    ['longest wait of another request to the API, ms', ...cells('probeMs', 0)],
  ];
  const missed = missedTargets([['the forecast of live enrollments, in seconds', core[0] ?? '', '< 30']]);
  const count = enrollments.toLocaleString('en');
  return `## Forecast

${missed}

\`npm run bench -- forecast --enrollments ${enrollments}\` forecasts ${DAYS} days of ${count} live enrollments of a campaign
with two steps, retries and ${REQUEST.concurrency} concurrency slots. Half of them were called before. The same is done for as many made-up
contacts. Figures are medians of ${rounds} rounds. The load average was ${figure(load, 1)} before them. Target: less than 30 seconds on one core.

${table(['', 'live enrollments', 'made-up contacts'], rows)}
`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
