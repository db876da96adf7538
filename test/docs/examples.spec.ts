import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { jsonValues, PAGES, shapeOf, shellExamples } from './support/examples.js';
import { Shell } from './support/shell.js';

// The documents' shell examples run as they stand, in one shell, against a real API and a real worker.

const OPEN_CALLS = `SELECT id FROM call_requests WHERE status IN ('queued', 'dialing', 'in_progress')`;

let world: World;
let port: string;

beforeEach(async () => {
  world = await createWorld();
  port = new URL(await (await world.startApi()).getUrl()).port;
  await world.startWorker();
});
afterEach(() => world.close());

/** As `npm start` leaves it. */
function startedDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'outdial-examples-'));
  mkdirSync(join(directory, '.data'));
  writeFileSync(join(directory, '.data', 'operator-token'), OPERATOR_TOKEN);
  return directory;
}

test('every shell example runs and returns the shape that the page shows', async () => {
  const examples = shellExamples();
  expect(new Set(examples.map(({ page }) => page))).toEqual(new Set(PAGES));
  const directory = startedDirectory();
  const shell = new Shell(directory);
  try {
    for (const { page, line, script, answer } of examples) {
      const at = `${page}:${line}`;
      const printed = await shell.run(at, script.replace('127.0.0.1:3000', `127.0.0.1:${port}`));
      if (answer !== undefined) {
        expect([at, shapeOf(jsonValues(printed).at(-1))]).toEqual([at, shapeOf(answer)]);
      }
      // The next example may read a call as it is after its end.
      await eventually(
        () => world.db.query<unknown[]>(OPEN_CALLS),
        (open) => open.length === 0,
      );
    }
  } finally {
    shell.close();
    rmSync(directory, { recursive: true });
  }
});
