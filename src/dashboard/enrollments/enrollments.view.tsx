import { type ComponentChildren } from 'preact';
import { type CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { type CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { type EnrollmentsService } from '../../campaigns/records/enrollments.service.js';
import { WAITING_FOR } from '../../domain/campaigns/decide/decision.js';
import { ENROLLMENT_STATES, type EnrollmentState } from '../../domain/enrollment-states.js';
import { numberText, PhoneNumber } from '../design/phone-number.view.js';
import { endLabel, enrollmentLabel, waitLabel } from '../../domain/narrator/enrollment.js';
import { address } from '../design/address.js';
import { FilterBar, setFilters } from '../design/filter-bar.view.js';
import { enrollmentsOf } from '../campaigns/campaign.view.js';
import { Badge, Choice, type Mood, PhoneField } from '../frame/controls.js';
import { type NamedContact } from './enrollment-page.sql.js';
import { Layout } from '../frame/layout.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';

type Enrollments = Awaited<ReturnType<EnrollmentsService['list']>>;
type EnrollmentResource = Enrollments['items'][number];

/** The filters of the operator's list that the page has, which are parameters of its address. */
export const LIST_FILTERS = [
  'status',
  'waitingFor',
  'version',
  'phoneNumber',
] as const satisfies readonly ListFilter[];
type ListFilter = keyof Parameters<EnrollmentsService['list']>[2]['filters'];

/** What the page shows of a campaign's enrollments. */
export interface ShownEnrollments {
  campaign: Awaited<ReturnType<CampaignsService['get']>>;
  versions: Awaited<ReturnType<CampaignVersionsService['list']>>['items'];
  filters: Partial<Record<(typeof LIST_FILTERS)[number], string>>;
  page: Enrollments;
  contacts: ReadonlyMap<string, NamedContact>;
}

const MOODS: Record<EnrollmentState, Mood> = {
  active: 'good',
  paused: 'warn',
  completed: '',
  exited: '',
  failed: 'bad',
};

export function EnrollmentBadge({ status }: { status: EnrollmentState }) {
  return <Badge mood={MOODS[status]}>{enrollmentLabel(status)}</Badge>;
}

/** The enrollments of a campaign, the newest first, with filters by state, wait and version. */
export function enrollmentsPage(frame: Frame, shown: ShownEnrollments) {
  const { campaign, filters, page } = shown;
  const { team, request, zone } = frame;
  const timezone = request.parameter('timezone');
  const campaignPath = `/t/${team?.id ?? ''}/campaigns/${campaign.id}`;
  const older = enrollmentsOf(frame, campaign.id, { ...filters, cursor: page.nextCursor });
  return (
    <Layout frame={frame} section="campaigns" title={`Enrollments, ${campaign.name}`}>
      <h1>Enrollments</h1>
      <p class="soft small">
        <a href={address(campaignPath, { timezone })}>{campaign.name}</a> · the newest first, times in {zone}
      </p>
      <Filters frame={frame} shown={shown} />
      <section class="card" id="enrollments">
        {page.items.length === 0 && <p>No enrollment is like this.</p>}
        {page.items.length > 0 && (
          <div class="scroll">
            <List frame={frame} shown={shown} />
          </div>
        )}
        {page.nextCursor !== null && (
          <p>
            <a href={older}>Older enrollments</a>
          </p>
        )}
      </section>
    </Layout>
  );
}

function Filters({
  frame,
  shown: { campaign, versions, filters },
}: {
  frame: Frame;
  shown: ShownEnrollments;
}) {
  const list = `/t/${frame.team?.id ?? ''}/campaigns/${campaign.id}/enrollments`;
  const timezone = frame.request.parameter('timezone');
  // The filter also accepts `current` and `draft`, which the form does not offer.
  const numbers = versions.map(({ id, number }) => [id, `Version ${number}`] as const);
  const states = ENROLLMENT_STATES.map((state) => [state, enrollmentLabel(state)] as const);
  const waits = WAITING_FOR.map((name) => [name, waitLabel(name)] as const);
  const controls: Record<(typeof LIST_FILTERS)[number], ComponentChildren> = {
    status: <Choice label="State" name="status" chosen={filters.status} options={states} />,
    waitingFor: <Choice label="Waiting for" name="waitingFor" chosen={filters.waitingFor} options={waits} />,
    version: <Choice label="Version" name="version" chosen={filters.version} options={numbers} />,
    phoneNumber: <PhoneField value={filters.phoneNumber ?? null} />,
  };
  const set = setFilters({
    State: filters.status && enrollmentLabel(filters.status),
    'Waiting for': filters.waitingFor && waitLabel(filters.waitingFor),
    Version: numbers.find(([id]) => id === filters.version)?.[1] ?? filters.version,
    Number: filters.phoneNumber,
  });
  return (
    <FilterBar action={list} set={set} without={address(list, { timezone })} refused={frame.problem !== null}>
      {timezone !== null && <input type="hidden" name="timezone" value={timezone} />}
      {LIST_FILTERS.map((name) => controls[name])}
    </FilterBar>
  );
}

function List({
  frame,
  shown: { campaign, page, contacts, versions },
}: {
  frame: Frame;
  shown: ShownEnrollments;
}) {
  const { team, zone, request } = frame;
  const path = `/t/${team?.id ?? ''}/campaigns/${campaign.id}/enrollments`;
  const numbers = new Map(versions.map(({ id, number }) => [id, number]));
  return (
    <table class="stack">
      <thead>
        <tr>
          <th>Contact</th>
          <th>State</th>
          <th>Step</th>
          <th>Waits for, or ended by</th>
          <th>Next attempt</th>
          <th>Enrolled</th>
          <th class="number">Version</th>
        </tr>
      </thead>
      {page.items.map((enrollment) => (
        <tr data-enrollment={enrollment.id}>
          <td class="long">
            <a href={address(`${path}/${enrollment.id}`, { timezone: request.parameter('timezone') })}>
              <ContactName contact={contacts.get(enrollment.contactId)} />
            </a>
            {enrollment.entry > 1 && <span class="soft small"> entry {enrollment.entry}</span>}
          </td>
          <td>
            <EnrollmentBadge status={enrollment.status} />
          </td>
          <td class="long" data-name="Step">
            {enrollment.step ?? '–'}
          </td>
          <td data-name={enrollment.endReason === null ? 'Waits for' : 'Ended by'}>
            {stateText(enrollment)}
          </td>
          <td data-name="Next attempt" class="nowrap">
            {enrollment.nextAttemptAt === null ? '–' : <Instant zone={zone} at={enrollment.nextAttemptAt} />}
          </td>
          <td data-name="Enrolled" class="soft nowrap">
            <Instant zone={zone} at={enrollment.createdAt} />
          </td>
          <td data-name="Version" class="number">
            {numbers.get(enrollment.versionId) ?? '–'}
          </td>
        </tr>
      ))}
    </table>
  );
}

/** What a live enrollment waits for, or why it ended. */
export function stateText({ endReason, waitingFor }: Pick<EnrollmentResource, 'endReason' | 'waitingFor'>) {
  if (endReason !== null) return endLabel(endReason);
  return waitingFor === null ? '–' : waitLabel(waitingFor);
}

/** The name of the contact, or the number if there is no name. */
export function contactLabel(contact: NamedContact | undefined): string {
  if (contact === undefined) return 'Unknown contact';
  return contact.name ?? numberText(contact.phone_number);
}

/** {@link contactLabel} for a page's content: a number is copied as E.164. */
export function ContactName({ contact }: { contact: NamedContact | undefined }) {
  if (contact === undefined || contact.name !== null) return <>{contactLabel(contact)}</>;
  return <PhoneNumber number={contact.phone_number} />;
}
