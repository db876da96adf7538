import { ROWS_A_BATCH } from '../../src/secrets/reencryption.service.js';
import { Secrets } from '../../src/secrets/secrets.js';
import { CliTerminal, type Said } from '../cli/terminal.js';
import { insertRow, buildTeam } from '../support/builders.js';
import { createWorld, type World } from '../support/app.js';
import { type TestDatabase } from '../support/database.js';
import { storedOf } from './support.js';

/* Each test begins without endpoints. */

const KEY = 'secrets-key-of-the-tests';
const NEXT_KEY = 'next-secrets-key-of-the-tests';
const URL = 'https://example.com/hook';

let world: World;
let teamId: string;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.db.query('DELETE FROM webhook_endpoints');
  ({ id: teamId } = await buildTeam(world.db));
});

const reencrypt = (env: NodeJS.ProcessEnv, ...more: string[]): Promise<Said> =>
  new CliTerminal({ url: world.config.databaseUrl } as TestDatabase, env).run(
    'secrets',
    'reencrypt',
    ...more,
  );

const endpoint = async (fields: Record<string, unknown>) =>
  (await insertRow<{ id: string }>(world.db, 'webhook_endpoints', { team_id: teamId, url: URL, ...fields }))
    .id;

const placeOf = (id: string) => ({ table: 'webhook_endpoints', column: 'secret', id });
const opened = (key: string, id: string, sealed: string | null) =>
  new Secrets(key).open(sealed ?? '', placeOf(id));

test('seals every plain secret, says how many, and has nothing to do afterwards', async () => {
  const current = await endpoint({ secret: 'whsec_one' });
  const rotated = await endpoint({
    secret: 'whsec_two',
    previous_secret: 'whsec_before',
    previous_until: new Date(),
  });
  const deleted = await endpoint({ secret: '', deleted_at: new Date() });
  expect(await reencrypt({ SECRETS_KEY: KEY })).toEqual({
    code: 0,
    out: 'Sealed 3 secrets under SECRETS_KEY; 0 were sealed under it before.',
    told: '',
  });
  const [one, two] = [await storedOf(world.db, current), await storedOf(world.db, rotated)];
  expect(opened(KEY, current, one.secret)).toBe('whsec_one');
  expect(opened(KEY, rotated, two.secret)).toBe('whsec_two');
  expect(opened(KEY, rotated, two.previous)).toBe('whsec_before');
  expect(await storedOf(world.db, deleted)).toEqual({ secret: '', previous: null });
  const again = await reencrypt({ SECRETS_KEY: KEY }, '--json');
  expect(JSON.parse(again.out)).toEqual({ sealed: 0, unchanged: 3 });
  expect(await storedOf(world.db, rotated)).toEqual(two);
});

test('works in batches, and after an interruption seals what is left', async () => {
  const count = 2 * ROWS_A_BATCH + 1;
  await world.db.query(
    `INSERT INTO webhook_endpoints (team_id, url, secret)
    SELECT $1, $2, 'whsec_' || n FROM generate_series(1, $3::integer) n`,
    [teamId, URL, count],
  );
  const ids = await world.db.query<{ id: string; secret: string }[]>(
    'SELECT id, secret FROM webhook_endpoints ORDER BY id',
  );
  // A row that cannot be opened, in the last batch.
  const last = ids.at(-1)!;
  const foreign = new Secrets('another-key-of-the-tests').seal(last.secret, placeOf(last.id));
  await world.db.query('UPDATE webhook_endpoints SET secret = $2 WHERE id = $1', [last.id, foreign]);
  const stopped = await reencrypt({ SECRETS_KEY: KEY });
  expect(stopped).toEqual({
    code: 1,
    out: '',
    told: 'webhook_endpoints.secret cannot be opened: it is sealed under neither SECRETS_KEY nor SECRETS_KEY_PREVIOUS',
  });
  await world.db.query('UPDATE webhook_endpoints SET secret = $2 WHERE id = $1', [last.id, last.secret]);
  const { out } = await reencrypt({ SECRETS_KEY: KEY }, '--json');
  expect(JSON.parse(out)).toEqual({ sealed: 1, unchanged: count - 1 });
  for (const { id, secret } of [ids[0]!, ids[ROWS_A_BATCH]!, last]) {
    expect(opened(KEY, id, (await storedOf(world.db, id)).secret)).toBe(secret);
  }
});

test('moves what is sealed under the previous key to the current one', async () => {
  const id = await endpoint({ secret: 'whsec_moved' });
  await reencrypt({ SECRETS_KEY: KEY });
  const { out } = await reencrypt({ SECRETS_KEY: NEXT_KEY, SECRETS_KEY_PREVIOUS: KEY });
  expect(out).toBe('Sealed 1 secret under SECRETS_KEY; 0 were sealed under it before.');
  expect(opened(NEXT_KEY, id, (await storedOf(world.db, id)).secret)).toBe('whsec_moved');
});

test('is in the audit log by its own name, as the command’s, and without a value', async () => {
  const id = await endpoint({ secret: 'whsec_audited' });
  await reencrypt({ SECRETS_KEY: KEY });
  const { secret } = await storedOf(world.db, id);
  const rows = await world.db.query<{ action: string; kind: string; text: string }[]>(
    `SELECT action, actor_kind AS kind, a::text AS text FROM audit_log a WHERE target_id = $1 ORDER BY a.id`,
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'webhook_endpoint.created',
    'webhook_endpoint.secret_reencrypted',
  ]);
  expect(rows[1]).toMatchObject({ kind: 'cli' });
  for (const { text } of rows) expect(text.includes('whsec') || text.includes(secret)).toBe(false);
});

test.each<[NodeJS.ProcessEnv, string]>([
  [{}, 'SECRETS_KEY: is not set; `secrets reencrypt` needs it'],
  [{ SECRETS_KEY: 'short' }, 'SECRETS_KEY: must be 16 to 500 printable ASCII characters'],
  [{ SECRETS_KEY_PREVIOUS: KEY }, 'SECRETS_KEY: is not set; SECRETS_KEY_PREVIOUS needs it'],
  [{ SECRETS_KEY: KEY, SECRETS_KEY_PREVIOUS: 'change-me-change-me' }, 'SECRETS_KEY_PREVIOUS: must not be'],
])('is refused with bad keys: %j', async (env, told) => {
  const id = await endpoint({ secret: 'whsec_kept' });
  const said = await reencrypt(env);
  expect(said).toMatchObject({ code: 2, out: '' });
  expect(said.told).toContain(told);
  expect((await storedOf(world.db, id)).secret).toBe('whsec_kept');
});
