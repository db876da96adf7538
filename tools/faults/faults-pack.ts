import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pool } from 'pg';
import { type PackHours } from './pack-windows.js';

const PACK = 'faults';

const SETTING = { mode: 'enforce', packs: [PACK], purpose: 'informational', voice: 'ai' };

/**
 * Writes a pack whose windows open and close during the run, as an operator's own.
 * @returns its directory, for `PACKS_DIR`.
 */
export async function writePack(directory: string, hours: PackHours): Promise<string> {
  const packs = join(directory, 'packs');
  await mkdir(packs, { recursive: true });
  const pack = {
    pack: PACK,
    jurisdiction: 'US',
    name: 'Windows of the fault harness',
    rules: [
      {
        id: 'faults-hours',
        kind: 'callingHours',
        appliesTo: { purpose: ['informational'], voice: ['ai'] },
        effectiveFrom: '2000-01-01',
        clock: 'calledParty',
        hours,
        citation: 'tools/faults',
        source: { url: 'https://example.com/faults', readOn: '2026-11-28' },
        confidence: 'high',
      },
    ],
  };
  // JSON is YAML.
  await writeFile(join(packs, `${PACK}.yaml`), JSON.stringify(pack, null, 2));
  return packs;
}

/** The pack holds for these teams, and for no other. */
export async function enforcePack(db: Pool, teamIds: readonly string[]): Promise<void> {
  await db.query('UPDATE teams SET compliance = $2 WHERE id = ANY($1)', [teamIds, SETTING]);
}

/** What the pack's rules say is only noted. */
export async function sabotageWindows(db: Pool): Promise<void> {
  await db.query(
    `UPDATE teams SET compliance = compliance || '{"mode": "warn"}' WHERE compliance->>'mode' = 'enforce'`,
  );
}
