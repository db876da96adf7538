import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with the platforms' own descriptions of their APIs, which are not part of this repository. */
const FOLDER = process.env.CARRIER_DESCRIPTIONS;

/**
 * The path of a description, and `describe` or, where there is none, `describe.skip`.
 *
 * @param file such as `twilio-calls.openapi.json`.
 */
export function whereDescribed(file: string): { path: string; describeWhereKnown: jest.Describe } {
  const path = FOLDER === undefined ? '' : join(FOLDER, file);
  if (existsSync(path)) return { path, describeWhereKnown: describe };
  const why = FOLDER === undefined ? 'CARRIER_DESCRIPTIONS is not set' : `${path} does not exist`;
  process.stderr.write(`${why}: the tests by ${file} are skipped\n`);
  return { path, describeWhereKnown: describe.skip };
}
