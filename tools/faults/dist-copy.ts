import { access, cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../services/paths.js';
import { buildIfNeeded } from '../stack/processes.js';

/** Ways to break the product on purpose, to see that the harness notices. */
export const SABOTAGES = [
  'claim',
  'sweeper',
  'enrollment',
  'opt-out',
  'pack-windows',
  'events',
  'webhooks',
  'engine-order',
] as const;
export type Sabotage = (typeof SABOTAGES)[number];

interface Patch {
  file: string;
  find: RegExp;
  replace: string;
}

/**
 * The smallest changes that take the protection away. A firing holds the number's lock from its facts to its
 * commit, so the state that it decides by cannot change before its claim. The check of the facts and the
 * claim's compare-and-set each suffice individually. Only without both is a call dialed twice.
 */
const PATCHES: Record<Sabotage, Patch[]> = {
  claim: [
    {
      file: 'src/dialing/claim/claim.sql.js',
      find: /WHERE r\.id = q\.id AND r\.generation = q\.generation AND r\.status = ANY\(\$2\)/,
      replace: 'WHERE r.id = q.id AND $2::text[] IS NOT NULL',
    },
    {
      file: 'src/domain/fire-decision.js',
      find: /if \(![^\n]*isPending\)?\(facts\.status\)\)\s*return [^\n]*\n\s*if \(facts\.generation !== generation\)\s*return [^\n]*\n/,
      replace: '',
    },
  ],
  sweeper: [{ file: 'src/calls/firing.lifecycle.js', find: /this\.sweeper\.start\(\);/, replace: '' }],
  // In the database: see `sabotageDatabase`.
  enrollment: [],
  'pack-windows': [],
  events: [],
  'engine-order': [],
  // A retry is recorded as delivered without being sent.
  webhooks: [
    {
      file: 'src/events/webhooks/delivery/delivery.service.js',
      find: /answer = await this\.send\(claimed\);/,
      replace:
        "answer = row.attempt > 1 ? { kind: 'answer', status: 204, text: '' } : await this.send(claimed);",
    },
  ],
  // The opt-out of a result that is refused is not carried out.
  'opt-out': [
    {
      file: 'src/results/call-results.service.js',
      find: /\.\.\.\(optOut \? optingOut\((.+)\) : \[\]\)/,
      replace: '...(isNew && optOut ? optingOut($1) : [])',
    },
  ],
};

/**
 * Copies the built programs into `directory`, so that a build that runs meanwhile does not change them.
 *
 * @param sabotage applied to the copy only.
 * @returns the copy of `dist/`.
 */
export async function copyDist(directory: string, sabotage?: Sabotage): Promise<string> {
  const dist = join(directory, 'dist');
  await copyWhole(dist);
  await symlink(join(repositoryRoot(), 'node_modules'), join(directory, 'node_modules'));
  for (const { file, find, replace } of sabotage ? PATCHES[sabotage] : []) {
    const path = join(dist, file);
    const source = await readFile(path, 'utf8');
    if (!find.test(source)) throw new Error(`${file} is not as the sabotage "${sabotage}" expects it`);
    await writeFile(path, source.replace(find, replace));
  }
  return dist;
}

/** A build begins by deleting what is there, and ends by writing its stamp. */
async function copyWhole(dist: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await buildIfNeeded();
      await cp(join(repositoryRoot(), 'dist'), dist, { recursive: true });
      return await access(join(dist, '.sources'));
    } catch (error) {
      if (attempt === 3) throw error;
      await rm(dist, { recursive: true, force: true });
    }
  }
}
