import { type ExportedLists, EXPORTS_SAY, exportsTable } from './exports.js';
import { percentile } from './load.js';
import { figure, median, table } from './table.js';

/** What was measured of one database. */
export interface Side {
  calls: number;
  pending: number;
  contacts: number;
  /** Of each round. */
  triggers: { perSecond: number; latencies: number[] }[];
  /** Calls a second to their ends, of each round. */
  firings: number[];
  /** Milliseconds by what was read, of each round. */
  times: Map<string, number[][]>;
  /** Of tables on the disk, before the measurement. */
  bytes: { name: string; rows: number; indexes: number }[];
  /** Of one team. */
  exports: ExportedLists;
}

/** The section. */
export function callsReport([small, large]: [Side, Side], rounds: number, seconds: number): string {
  const ratioOf = (of: (side: Side) => number[]) => {
    const [above, below] = [of(large), of(small)];
    return median(above.map((value, round) => value / (below[round] ?? NaN)));
  };
  const row = (name: string, digits: number, of: (side: Side) => number[]) => [
    name,
    figure(median(of(small)), digits),
    figure(median(of(large)), digits),
    figure(ratioOf(of), 2),
  ];
  const work = [
    row('triggers a second', 0, ({ triggers }) => triggers.map(({ perSecond }) => perSecond)),
    ...[0.5, 0.99].map((part) =>
      row(`trigger, p${part * 100} ms`, 1, ({ triggers }) =>
        triggers.map(({ latencies }) => percentile(latencies, part)),
      ),
    ),
    row('calls a second to their ends, worker', 0, ({ firings }) => firings),
  ];
  const reads = [...large.times.keys()].map((name) => {
    const [few, many] = [small, large].map((side) => (side.times.get(name) ?? []).flat()) as [
      number[],
      number[],
    ];
    return [
      name,
      figure(median(few), 1),
      figure(median(many), 1),
      figure(Math.max(...few), 0),
      figure(Math.max(...many), 0),
    ];
  });
  return `## Ended calls

\`npm run bench -- scale --calls ${large.calls}\` compares a database with ${large.calls} ended calls of the last twelve
months, ${large.contacts} contacts and ${large.pending} pending calls in 10 teams with one of ${small.calls} calls. Both are on the same servers, which
share the machine with the load, and are measured in turn, in ${rounds} rounds of ${seconds} seconds, with 32 connections.

${table(['', `${small.calls} calls`, `${large.calls} calls`, 'ratio'], work)}

Milliseconds of requests, one after the other. The first overview in a round also starts the full count, which runs
during the other requests.

${table(['', `${small.calls} calls, median`, `${large.calls} calls, median`, `${small.calls} calls, longest`, `${large.calls} calls, longest`], reads)}

From the database with ${large.calls} calls: ${EXPORTS_SAY}

${exportsTable(large.exports)}

${bytesTable(large)}
`;
}

function bytesTable({ bytes, calls, contacts }: Side): string {
  const rows = bytes.map(({ name, rows: ofRows, indexes }) => {
    const count = name === 'contacts' ? contacts : calls;
    return [
      `\`${name}\`, for each ${name === 'contacts' ? 'contact' : 'call'}`,
      ...[ofRows / count, indexes / count, (ofRows + indexes) / count].map((value) => figure(value)),
      figure((ofRows + indexes) / 2 ** 30, 1),
    ];
  });
  return table(['bytes on the disk', 'rows', 'indexes', 'together', 'GiB in all'], rows);
}
