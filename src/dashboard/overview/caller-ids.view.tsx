import { REFUSAL_OUTCOMES, type RefusalOutcome } from '../../domain/refused-by.js';
import { callsOf } from '../calls/call-filters.js';
import { count } from '../design/local-time.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { type Frame } from '../frame/page-frame.service.js';

const DAYS = 7;
/** The newest calls of a number suffice to see its share of blocked calls, and bound the read. */
const CALLS_OF_NUMBER = 500;
const MOST_NUMBERS = 100;

/**
 * The calls of the last {@link DAYS} days from each number of a team, the newest {@link CALLS_OF_NUMBER} of
 * each number. The numbers that networks block most come first. $1 team, $2 now.
 */
export const CALLS_BY_CALLER_ID = `
  SELECT n.phone_number AS number, c.dialed, c.declined, c.network_blocked
  FROM (
    SELECT phone_number FROM phone_numbers WHERE team_id = $1 ORDER BY active DESC, phone_number LIMIT ${MOST_NUMBERS}) n
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS dialed, ${REFUSAL_OUTCOMES.map(
      (name) => `count(*) FILTER (WHERE r.status = 'failed' AND r.reason = '${name}')::integer AS ${name}`,
    ).join(', ')}
    FROM (
      SELECT status, reason FROM call_requests
      WHERE team_id = $1 AND caller_id = n.phone_number AND processed_at > $2::timestamptz - interval '${DAYS} days'
      ORDER BY processed_at DESC LIMIT ${CALLS_OF_NUMBER}) r) c
  WHERE c.dialed > 0
  ORDER BY c.network_blocked::float8 / c.dialed DESC, c.declined::float8 / c.dialed DESC, n.phone_number`;

export type CallerIdRow = { number: string; dialed: number } & Record<RefusalOutcome, number>;

interface Props {
  frame: Frame;
  callerIds: CallerIdRow[];
}

/** The numbers that a team has called from, so that a number that networks block is seen; nothing without calls. */
export function CallerIdsSection({ frame, callerIds }: Props) {
  if (callerIds.length === 0) return null;
  return (
    <section class="card" id="caller-ids">
      <h2>Caller IDs</h2>
      <table class="stack">
        <thead>
          <tr>
            <th>Number</th>
            <th class="number">Dialed</th>
            <th class="number">Declined</th>
            <th class="number">Blocked by a network</th>
          </tr>
        </thead>
        {callerIds.map(({ number, dialed, declined, network_blocked: blocked }) => (
          <tr data-number={number}>
            <td>
              <PhoneNumber number={number} />
            </td>
            <td class="number" data-name="Dialed">
              {count(dialed)}
            </td>
            <td class="number" data-name="Declined">
              {withShare(declined, dialed)}
            </td>
            <td class="number" data-name="Blocked by a network">
              {withShare(blocked, dialed)}
            </td>
          </tr>
        ))}
      </table>
      <p class="soft small">
        Calls of the last {DAYS} days, at most the newest {count(CALLS_OF_NUMBER)} of each number. Networks
        block calls from a number that they take for spam.{' '}
        <a href={callsOf(frame, { status: 'failed', reason: 'network_blocked' })}>The blocked calls</a>
      </p>
    </section>
  );
}

function withShare(calls: number, dialed: number): string {
  return calls === 0 ? '0' : `${count(calls)} (${Math.round((calls / dialed) * 100)} %)`;
}
