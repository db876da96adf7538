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

/** The calls that wait for a line, and those under way, which the sweeper looks through: few, or none at all. */
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
