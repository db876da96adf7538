import { shownWaitingFor } from '../../campaigns/definition/hold.js';
import { whyNotNow } from '../../domain/narrator/call-now.js';
import { StatusBadge } from '../campaigns/campaigns.view.js';
import { address } from '../design/address.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';
import { type EnrollmentOfNumberRow } from './enrollments-of-number.sql.js';
import { EnrollmentBadge, stateText } from './enrollments.view.js';

interface EnrollmentsProps {
  frame: Frame;
  enrollments: readonly EnrollmentOfNumberRow[];
  /** Whether a sentence tells what each live enrollment waits for. */
  told?: boolean;
}

/** The newest enrollments of a person in campaigns; nothing without one. */
export function EnrollmentsOfPerson({ frame, enrollments, told = false }: EnrollmentsProps) {
  if (enrollments.length === 0) return null;
  const { team, zone, request } = frame;
  const times = { timezone: request.parameter('timezone') };
  return (
    <section class="card" id="enrollments">
      <h2>Campaigns</h2>
      <table class="stack">
        <thead>
          <tr>
            <th>Campaign</th>
            <th>State</th>
            <th>Waits for, or ended by</th>
            <th>Next attempt</th>
            <th>Enrolled</th>
          </tr>
        </thead>
        {enrollments.map((row) => (
          <tr data-enrollment={row.id}>
            <td class="long">
              <a
                href={address(
                  `/t/${team?.id ?? ''}/campaigns/${row.campaign_id}/enrollments/${row.id}`,
                  times,
                )}
              >
                {row.campaign}
              </a>{' '}
              {row.campaign_status !== 'active' && <StatusBadge status={row.campaign_status} />}
            </td>
            <td>
              <EnrollmentBadge status={row.status} />
            </td>
            <td data-name={row.end_reason === null ? 'Waits for' : 'Ended by'}>
              {stateText({ endReason: row.end_reason, waitingFor: waitOf(row) })}
              {told && <WaitSentence row={row} />}
            </td>
            <td data-name="Next attempt" class="nowrap">
              {row.next_attempt_at === null ? '–' : <Instant zone={zone} at={row.next_attempt_at} />}
            </td>
            <td data-name="Enrolled" class="soft nowrap">
              <Instant zone={zone} at={row.created_at} />
            </td>
          </tr>
        ))}
      </table>
    </section>
  );
}

const waitOf = (row: EnrollmentOfNumberRow) => shownWaitingFor(row.waiting_for, row.hold);

/** Why a live enrollment is not called now. */
function WaitSentence({ row }: { row: EnrollmentOfNumberRow }) {
  const wait = waitOf(row);
  if (row.end_reason !== null || !wait) return null;
  return <div class="soft small">Not called now: {whyNotNow(wait)}.</div>;
}
