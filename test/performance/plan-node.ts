import { Client } from 'pg';
import { PLANNING } from '../../src/database/session.js';

/** A connection that plans as those of the hot path. */
export async function planningClient(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  for (const [name, value] of Object.entries(PLANNING)) await client.query(`SET ${name} = ${value}`);
  return client;
}

/** How many parameters a statement has. */
export function parametersOf(text: string): number {
  return Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
}

/** The plan of a statement that takes its parameters as they come; `null`s do, because nothing is run. */
export async function planOf(client: Client, text: string, parameters = parametersOf(text)): Promise<Node> {
  const nulls = Array.from({ length: parameters }, () => 'NULL').join(', ');
  await client.query(`PREPARE looked_at AS ${text}`);
  try {
    const execute = parameters === 0 ? 'EXECUTE looked_at' : `EXECUTE looked_at (${nulls})`;
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
      `EXPLAIN (FORMAT JSON) ${execute}`,
    );
    const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
    if (plan === undefined) throw new Error('no plan');
    return plan.Plan;
  } finally {
    await client.query('DEALLOCATE looked_at');
  }
}

/** A node of a plan, as `EXPLAIN (FORMAT JSON)` prints it. */
export interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  'TID Cond'?: string;
  Plans?: Node[];
}

/**
 * The calls that wait for a concurrency slot, and those under way, which the sweeper looks through: few, or
 * none at all.
 */
const FEW = ['ix_call_requests_slotless', 'ix_call_requests_under_way'];

/** What is read without a condition that an index answers. */
export function readWhole(node: Node): string[] {
  const table = node['Relation Name'];
  const few = FEW.find((name) => name === node['Index Name']);
  const answered = node['Index Cond'] ?? node['Recheck Cond'] ?? node['TID Cond'] ?? few;
  const own =
    table === undefined || answered !== undefined || node['Node Type'] === 'ModifyTable' ? [] : [table];
  return [...own, ...(node.Plans ?? []).flatMap(readWhole)];
}

/** The indexes that the plan reads, each as often as it does. */
export function indexesOf(node: Node): string[] {
  const own = node['Index Name'];
  return [...(own === undefined ? [] : [own]), ...(node.Plans ?? []).flatMap(indexesOf)];
}
