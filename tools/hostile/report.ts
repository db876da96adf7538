import { figure, table } from '../bench/table.js';
import { serverErrors, shown } from '../bench/answers.js';
import { HEAP_MB, IDLE_FLOOR_MS, MAX_RATIO, MAX_RSS_RISE_MB, type Played } from './play.js';

const HEAD = [
  'situation',
  'p50 idle',
  'p99 idle',
  'p50',
  'p99',
  'ratio',
  '5xx to it',
  '5xx to the attacker',
  'RSS, MB',
  'alive',
  'the attacker was answered',
  'faults',
];

/**
 * A table in Markdown; the answers of the unrelated team are counted as 5xx only where they are none of the
 * contract's refusals.
 */
export function report(label: string, all: Played[]): string {
  const rows = all.map(({ situation, idle, during, ratio, attacker, rssRise, alive, faults }) => [
    situation,
    ...[idle.p50, idle.p99, during.p50, during.p99].map((ms) => figure(ms, 1)),
    figure(ratio, 1),
    String(serverErrors(during.answers) + (during.answers.none ?? 0)),
    String(serverErrors(attacker)),
    `${rssRise >= 0 ? '+' : ''}${figure(rssRise)}`,
    alive ? 'yes' : 'no',
    shown(attacker),
    faults.join('; ') || '–',
  ]);
  return `
## ${label}

An unrelated team's requests, 40 a second, before and during each situation, in milliseconds. The API has a heap of ${HEAP_MB} MB. Bounds: its p99
within ${MAX_RATIO} times the idle one (at least ${IDLE_FLOOR_MS} ms), no 5xx, memory within ${MAX_RSS_RISE_MB} MB of the start of the attack.

${table(HEAD, rows)}
`;
}
