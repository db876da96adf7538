import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { randomBytes } from 'node:crypto';
import { type ForecastResource } from '../../src/campaigns/forecast/forecast.dto.js';
import { ForecastService } from '../../src/campaigns/forecast/forecast.service.js';
import { ErasedNumbers } from '../../src/erasure/erased-numbers.service.js';
import { OPERATOR_TOKEN } from '../support/app.js';
import { insertRow, type Row } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { setClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { PlayedCampaign } from './support/played-campaign.js';

const calling = Calling.ofFile({ erasureKey: randomBytes(16).toString('hex') });

beforeAll(async () => {
  await setClock(calling.db, '2027-03-01T15:00:00Z');
});

const NOON_TO_SIX = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => [
    day,
    [{ start: '12:00', end: '18:00' }],
  ]),
);
const VALID = {
  from: '2027-03-01T15:00:00Z',
  until: '2027-03-15T16:00:00+01:00',
  concurrency: 100,
  seed: 7,
  assume: { completed: 0.4, no_answer: 0.4, busy: 0.1, seconds: 90 },
};
/** No answer for a year, so that it takes minutes. */
const ENDLESS = {
  ...VALID,
  until: '2028-03-01T15:00:00Z',
  assume: { seconds: 1 },
  contacts: 250_000,
  concurrency: 1_000,
};
const STUBBORN = { steps: [{ key: 'first', retry: { failed: Array.from({ length: 20 }, () => 'PT13H') } }] };

async function campaignOf(definition: Row = { steps: [{ key: 'first' }] }, team: Row = {}, agent: Row = {}) {
  return PlayedCampaign.build(calling, await buildCaller(calling.db, team, agent), definition);
}

const pathOf = ({ caller, id, versionId }: PlayedCampaign) =>
  `/teams/${caller.teamId}/campaigns/${id}/versions/${versionId}/forecast`;
const ask = (campaign: PlayedCampaign, body: object = VALID) =>
  calling.operator('post', pathOf(campaign), body);
const played = async (campaign: PlayedCampaign, body: object = VALID) =>
  (await ask(campaign, body).expect(200)).body as ForecastResource;
const service = () => calling.api.get(ForecastService, { strict: false });

/** Begins a forecast whose client can leave; resolves when it is being played. */
async function begin(campaign: PlayedCampaign, body: object) {
  const leave = new AbortController();
  const address = calling.api.getHttpServer().address() as { port: number };
  const answer = fetch(`http://127.0.0.1:${address.port}/api/admin${pathOf(campaign)}`, {
    method: 'POST',
    body: JSON.stringify(body),
    signal: leave.signal,
    headers: { ...bearer(OPERATOR_TOKEN), 'content-type': 'application/json' },
  });
  answer.catch(() => undefined);
  await eventually(
    () => Promise.resolve(service().isPlaying),
    (playing) => playing,
  );
  return { answer, leave: () => leave.abort() };
}

test('made-up contacts in their zones', async () => {
  const campaign = await campaignOf({ steps: [{ key: 'first' }] }, {}, { calling_hours: NOON_TO_SIX });
  const zones = ['America/New_York', 'Europe/Berlin'];
  const found = await played(campaign, { ...VALID, contacts: 100, zones });
  expect(found).toMatchObject({
    versionId: campaign.versionId,
    from: '2027-03-01T15:00:00.000Z',
    until: '2027-03-15T15:00:00.000Z',
    enrollments: 100,
    dials: 100,
    live: 0,
    skipped: { hours: 50 },
  });
  // It is 16:00 in Berlin, and 10:00 in New York.
  expect(found.dialsByHour).toEqual([
    { hour: '2027-03-01T15:00:00.000Z', dials: 50, skipped: { hours: 50 } },
    { hour: '2027-03-01T17:00:00.000Z', dials: 50, skipped: {} },
  ]);
  expect(Object.values(found.outcomes).reduce((sum, n) => sum + n, 0)).toBe(100);
  expect(await played(campaign, { ...VALID, contacts: 100, zones })).toEqual(found);
});

test('a draft, of a campaign that has not begun, of a team that is paused, is played with made-up contacts', async () => {
  const campaign = await campaignOf({ steps: [{ key: 'first' }] }, { paused: true, whitelist_only: true });
  await campaign.patch({ status: 'draft' });
  expect(await played(campaign, { ...VALID, contacts: 5 })).toMatchObject({ dials: 5, skipped: {} });
});

test('live enrollments: holds, suppression and what was called before; nothing is stored', async () => {
  const campaign = await campaignOf(undefined, { retry_within_redial_window: true });
  const plain = await campaign.enroll();
  const paused = await campaign.enroll();
  const ended = await campaign.enroll();
  const listed = await campaign.enroll();
  await campaign.move(paused.id, 'pause');
  await calling.operated('post', `/teams/${campaign.caller.teamId}/do-not-call`, {
    phoneNumbers: [ended.to],
  });
  await insertRow(calling.db, 'do_not_call', { team_id: campaign.caller.teamId, phone_number: listed.to });
  const rows = () =>
    calling.db.query<object[]>('SELECT * FROM enrollments WHERE campaign_id = $1 ORDER BY id', [campaign.id]);
  const before = await rows();
  const found = await played(campaign);
  expect(found).toMatchObject({
    enrollments: 3,
    dials: 1,
    live: 1,
    waitingFor: { paused: 1 },
    skipped: { DO_NOT_CALL: 2, paused: 1 },
    finish: null,
  });
  expect(found.ended).toMatchObject({ suppressed: 1 });
  expect(await rows()).toEqual(before);
  expect(await calling.rows(campaign.caller.teamId)).toEqual([]);
  expect(calling.dials(plain.to)).toEqual([]);
});

test('several pages of enrollments', async () => {
  const campaign = await campaignOf();
  await calling.db.query(
    `WITH contact AS (
       INSERT INTO contacts (team_id, phone_number, timezone)
       SELECT $1, '+1206' || (2000000 + n), 'UTC' FROM generate_series(1, 1200) n RETURNING id)
     INSERT INTO enrollments (team_id, campaign_id, contact_id, version_id, status)
     SELECT $1, $2, id, $3, CASE WHEN random() < 0.5 THEN 'active' ELSE 'paused' END FROM contact`,
    [campaign.caller.teamId, campaign.id, campaign.versionId],
  );
  const { enrollments, dials, live } = await played(campaign);
  expect([enrollments, dials + live]).toEqual([1_200, 1_200]);
});

test('numbers of erased contacts are recognized, and without the key nothing is said', async () => {
  const campaign = await campaignOf();
  const { to } = await campaign.enroll();
  const { teamId } = campaign.caller;
  const form = calling.api.get(ErasedNumbers, { strict: false }).formOf(teamId, to);
  await insertRow(calling.db, 'do_not_call', { team_id: teamId, phone_number: form });
  await calling.db.query('UPDATE teams SET has_erased_numbers = true WHERE id = $1', [teamId]);
  const { erasureKey } = calling.world.config;
  await calling.db.query('INSERT INTO erasure_key (check_value) VALUES ($1)', [
    calling.api.get(ErasedNumbers, { strict: false }).checkValue(),
  ]);
  expect(await played(campaign)).toMatchObject({ dials: 0, skipped: { DO_NOT_CALL: 1 } });
  calling.world.config.erasureKey = undefined;
  try {
    expect((await ask(campaign).expect(409)).body).toMatchObject({
      error: expect.stringContaining('ERASURE_KEY') as string,
    });
  } finally {
    calling.world.config.erasureKey = erasureKey;
  }
});

test.each([
  [{ from: undefined }, 'from is required'],
  [{ from: '2027-03-01' }, 'from must be a date-time with an offset'],
  [{ from: '2027-03-01T15:00:00' }, 'from must be a date-time with an offset'],
  [{ until: '2027-02-30T15:00:00Z' }, 'until must be a date-time with an offset'],
  [{ until: 7 }, 'until must be'],
  [{ until: VALID.from }, 'until must be after from'],
  [{ until: '2028-03-02T15:00:01Z' }, 'until must be at most 366 days after from'],
  [{ concurrency: 0 }, 'concurrency must be a whole number from 1'],
  [{ concurrency: 1.5 }, 'concurrency must be'],
  [{ concurrency: null }, 'concurrency must be'],
  [{ assume: undefined }, 'assume is required'],
  [{ assume: [] }, 'assume must be an object'],
  [{ assume: { completed: 1.1, seconds: 1 } }, 'assume.completed must be a number from 0 to 1'],
  [{ assume: { busy: -0.1, seconds: 1 } }, 'assume.busy must be'],
  [{ assume: { busy: 'x', seconds: 1 } }, 'assume.busy must be'],
  [{ assume: { completed: 0.6, no_answer: 0.5, seconds: 1 } }, 'add up to at most 1; the rest is failed'],
  [{ assume: { failed: 0.5, seconds: 1 } }, 'assume.failed is not known here'],
  [{ assume: { completed: 1 } }, 'assume.seconds must be'],
  [{ assume: { completed: 1, seconds: 0 } }, 'assume.seconds must be'],
  [{ seed: -1 }, 'seed must be a whole number'],
  [{ seed: 'x' }, 'seed must be a whole number'],
  [{ seed: undefined }, 'seed is required'],
  [{ contacts: 0 }, 'contacts must be a whole number from 1 to 250000'],
  [{ contacts: 250_001 }, 'contacts must be'],
  [{ contacts: 1, zones: [] }, 'zones must be an array of 1 to 100 time zones'],
  [{ contacts: 1, zones: ['UTC', 'Mars/Base'] }, 'zones[1] must be an IANA time zone'],
  [{ zones: ['UTC'] }, 'zones needs contacts'],
  [{ speed: 2 }, 'speed is not a field'],
])('%j is refused: %s', async (change, message) => {
  const campaign = await campaignOf();
  const { error } = (await ask(campaign, { ...VALID, ...change }).expect(400)).body as { error: string };
  expect(error).toContain(message);
});

test('unknown ids', async () => {
  const [campaign, other] = [await campaignOf(), await campaignOf()];
  const { teamId } = campaign.caller;
  for (const path of [
    `/teams/${other.caller.teamId}/campaigns/${campaign.id}/versions/${campaign.versionId}/forecast`,
    `/teams/${teamId}/campaigns/${other.id}/versions/${campaign.versionId}/forecast`,
    `/teams/${teamId}/campaigns/${campaign.id}/versions/${other.versionId}/forecast`,
    `/teams/${teamId}/campaigns/${campaign.id}/versions/x/forecast`,
  ])
    await calling.operator('post', path, VALID).expect(404);
});

async function nicenessOfThreads(): Promise<number[]> {
  const threads = await readdir('/proc/self/task');
  const stats = threads.map((thread) => readFile(`/proc/self/task/${thread}/stat`, 'utf8').catch(() => ''));
  return (await Promise.all(stats)).map((stat) => Number(stat.split(') ')[1]?.split(' ')[16]));
}

describe('while a forecast is played', () => {
  test('the API answers, and refuses a second one until the client of the first has left', async () => {
    const campaign = await campaignOf(STUBBORN);
    const { leave } = await begin(campaign, ENDLESS);
    const second = await ask(campaign).expect(429);
    expect(second.body).toEqual({ error: expect.stringContaining('another forecast') as string });
    expect(second.headers['retry-after']).toMatch(/^\d+$/);
    for (let n = 0; n < 20; n += 1) await calling.http().get('/health/live').expect(200);
    // The scheduler prefers the threads of requests; see proc_pid_stat(5).
    if (process.platform === 'linux') {
      await eventually(nicenessOfThreads, (values) => values.filter((nice) => nice === 10).length === 1);
      expect(getPriority()).toBe(0);
    }
    await ask(campaign).expect(429);
    leave();
    await eventually(
      () => ask(campaign),
      ({ status }) => status === 200,
    );
  });

  test('it ends when the process stops, and when it takes too long', async () => {
    const campaign = await campaignOf(STUBBORN);
    const { answer } = await begin(campaign, ENDLESS);
    await service().onModuleDestroy();
    expect((await answer).status).toBe(503);
    const { limits } = service();
    const { ms, enrollments } = limits;
    try {
      limits.ms = 1;
      expect((await ask(campaign, ENDLESS).expect(422)).body).toEqual({
        error: expect.stringContaining('took more than') as string,
      });
      Object.assign(limits, { ms, enrollments: 0 });
      await campaign.enroll();
      expect((await ask(campaign).expect(422)).body).toEqual({
        error: expect.stringContaining('more than 0 live enrollments') as string,
      });
    } finally {
      Object.assign(limits, { ms, enrollments });
    }
    await ask(campaign).expect(200);
  });
});
