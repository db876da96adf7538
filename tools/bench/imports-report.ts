import { type Probed } from './probe.js';
import { type ExportedLists, EXPORTS_SAY, exportsTable } from './exports.js';
import { figure, median, missedTargets, table } from './table.js';

/** One import, beside triggers at a steady rate. */
export interface Round {
  without: Probed;
  beside: Probed;
  /** Seconds from the first byte to the last row. */
  seconds: number;
  uploadSeconds: number;
  /** Megabytes by which a process grew. */
  api: number;
  worker: number;
  /** Seconds of CPU time, those of the triggers beside it included. */
  apiCpu: number;
  workerCpu: number;
  postgresCpu: number;
}

/** By the triggers a second. */
export type Rounds = Map<number, Round[]>;

/** The section. @param rows of the file. @param seconds of each measurement without an import. */
export function importsReport(
  rounds: Rounds,
  exported: ExportedLists,
  rows: number,
  seconds: number,
): string {
  const columns = [...rounds.values()].map((all) => figuresOf(all, rows));
  const named = [...rounds.keys()].map((rate, at) =>
    (columns[at] ?? []).map(([what = '', ...more]) => [`${what}, at ${rate} triggers a second,`, ...more]),
  );
  const lines = (columns[0] ?? []).map(([what = '', , target = ''], line) => [
    what,
    ...columns.map((figures) => figures[line]?.[1] ?? ''),
    target,
  ]);
  const head = ['', ...[...rounds.keys()].map((rate) => `${rate} triggers a second`), 'target'];
  return `## Imports

${missedTargets(named.flat())}

\`npm run bench -- imports\`: one team imports a CSV file with ${rows.toLocaleString('en')} rows and six columns; every row becomes a contact and
an enrollment. Meanwhile 20 other teams trigger calls at a steady rate, which the same worker dials. An API, a worker,
Postgres, Redis and the load share the machine. Each of ${[...rounds.values()][0]?.length ?? 0} rounds measures the trigger for ${seconds} seconds without an
import, then beside one. Figures are medians. The time of an answer counts from when its request was due, CPU time includes
the triggers, and growth is that of resident memory. Postgres reuses 512 MB of WAL files, as a server with the
\`min_wal_size\` of docker-compose.yml does after a while.

${table(head, lines)}

Afterwards: ${EXPORTS_SAY}

${exportsTable(exported)}
`;
}

/** What was measured, the figure, and a target or none. */
function figuresOf(rounds: Round[], rows: number): string[][] {
  const of = (field: keyof Omit<Round, 'without' | 'beside'>) => median(rounds.map((round) => round[field]));
  const p99 = (field: 'without' | 'beside') => median(rounds.map((round) => round[field].p99));
  const p50 = (field: 'without' | 'beside') => median(rounds.map((round) => round[field].p50));
  const ratio = median(rounds.map(({ without, beside }) => beside.p99 / without.p99));
  const unexpected = rounds
    .flatMap(({ without, beside }) => [...Object.keys(without.answers), ...Object.keys(beside.answers)])
    .filter((name) => name !== '200').length;
  return [
    ['seconds from the first byte to the last row', figure(of('seconds'), 1), '< 20'],
    ['of them the upload', figure(of('uploadSeconds'), 1), ''],
    ['rows a second', figure(rows / of('seconds')), ''],
    ['CPU time of the API, s', figure(of('apiCpu'), 1), ''],
    ['CPU time of the worker, s', figure(of('workerCpu'), 1), ''],
    ['CPU time of Postgres, s', figure(of('postgresCpu'), 1), ''],
    ['growth of the API, MB', figure(of('api')), '≤ 100'],
    ['growth of the worker, MB', figure(of('worker')), '≤ 100'],
    ['p50 of the trigger without an import, ms', figure(p50('without'), 1), ''],
    ['p50 beside one, ms', figure(p50('beside'), 1), ''],
    ['p99 of the trigger without an import, ms', figure(p99('without'), 1), ''],
    ['p99 beside one, ms', figure(p99('beside'), 1), ''],
    ['p99 beside ÷ without', figure(ratio, 2), '≤ 2'],
    ['other answers of the trigger than 200', figure(unexpected), '≤ 0'],
  ];
}
