import { timeIn } from '../design/local-time.js';
import { Instant } from '../design/instant.view.js';
import { numberText, PhoneNumber } from '../design/phone-number.view.js';
import { type ConsentResource } from '../../consents/consent.dto.js';
import { type CallOfNumber } from '../../calls/records/calls-admin.service.js';
import { moodOf } from '../../domain/narrator/call.js';
import { stateLabel } from '../../domain/narrator/labels.js';
import { type Page } from '../../http/page.js';
import { address } from '../design/address.js';
import { Badge, PhoneField, TeamMissing, TeamSelect } from '../frame/controls.js';
import { ConsentTable } from '../consents/consent-table.view.js';
import { Answer, Decisions, History } from '../calls/decision.view.js';
import { type EnrollmentOfNumberRow } from '../enrollments/enrollments-of-number.sql.js';
import { EnrollmentsOfPerson } from '../enrollments/enrollments-of-person.view.js';
import { Layout } from '../frame/layout.js';
import { chosenTeam, type Frame, may } from '../frame/page-frame.service.js';

/** The data about a number besides its calls. */
export interface NumberRow {
  contact_id: string | null;
  contact: string | null;
  timezone: string | null;
  listed_at: Date | null;
  listed_because: string | null;
  whitelisted: boolean;
  whitelist_only: boolean;
}

/** A team's data about one number. */
export interface NumberHistory {
  phoneNumber: string;
  about: NumberRow;
  /** The newest enrollments of the contact with the number. */
  enrollments: EnrollmentOfNumberRow[];
  /** The latest recorded. */
  consents: Page<ConsentResource>;
  calls: Page<CallOfNumber>;
  /** Agents' names by their ids. */
  agents: Map<string, string>;
}

/** One number's whole history; without a number, the form that searches for one. */
export function numberPage(frame: Frame, history: NumberHistory | null) {
  const title = history === null ? 'Numbers' : numberText(history.phoneNumber);
  return (
    <Layout frame={frame} section="numbers" title={title}>
      <h1>{history === null ? title : <PhoneNumber number={history.phoneNumber} />}</h1>
      <p class="soft">Why was this person called, or not?</p>
      <form class="bar" method="get" action={`${frame.base}/numbers`}>
        <TeamSelect frame={frame} none={frame.team === null ? 'Choose a team' : undefined} />
        <PhoneField value={history?.phoneNumber ?? frame.request.phoneNumber} required />
        <button class="main">Look up</button>
      </form>
      <TeamMissing frame={frame} />
      {history !== null && (
        <>
          <About frame={frame} history={history} />
          <Consents frame={frame} history={history} />
          <EnrollmentsOfPerson frame={frame} enrollments={history.enrollments} />
          <Calls frame={frame} history={history} />
        </>
      )}
    </Layout>
  );
}

interface HistoryProps {
  frame: Frame;
  history: NumberHistory;
}

function About({ frame, history: { about, phoneNumber } }: HistoryProps) {
  const listed = about.listed_at !== null;
  return (
    <section class="card" id="about">
      <dl class="facts">
        <dt>Contact</dt>
        <dd>
          {about.contact_id === null ? (
            'No name known'
          ) : (
            <a href={`/t/${frame.team?.id ?? ''}/contacts/${about.contact_id}`}>
              {about.contact ?? 'Without a name'}
            </a>
          )}{' '}
          {frame.team !== null && about.contact_id !== null && may(frame, 'contacts.change') && (
            <a
              href={address(`/t/${frame.team.id}/contacts/${about.contact_id}/erase`, {
                back: frame.request.self,
              })}
            >
              Erase…
            </a>
          )}
        </dd>
        {about.timezone !== null && (
          <>
            <dt>Their time zone</dt>
            <dd>{about.timezone}</dd>
          </>
        )}
        <dt>Do Not Call</dt>
        <dd>
          {listed ? <Badge mood="bad">On the list</Badge> : 'Not on the list'}
          {about.listed_at !== null && ` since ${timeIn(frame.zone, about.listed_at)}`}
          {about.listed_because !== null && `: ${about.listed_because}`}{' '}
          {may(frame, 'suppressions.change') && (
            <a href={address(`${frame.base}/do-not-call`, parametersOf(frame, phoneNumber))}>
              {listed ? 'Remove' : 'Add'}…
            </a>
          )}
        </dd>
        {about.whitelist_only && (
          <>
            <dt>Whitelist</dt>
            <dd>{about.whitelisted ? 'On the whitelist' : <Badge mood="bad">Not on the whitelist</Badge>}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Consents({ frame, history: { phoneNumber, consents } }: HistoryProps) {
  const teamId = frame.team?.id ?? '';
  const all = address(`/t/${teamId}/consents`, {
    phoneNumber,
    timezone: frame.request.parameter('timezone'),
  });
  return (
    <section class="card" id="consents">
      <h2>Consents</h2>
      {consents.items.length === 0 ? (
        <p class="soft">No consent of this person is recorded.</p>
      ) : (
        <ConsentTable frame={frame} teamId={teamId} consents={consents.items} withNumber={false} />
      )}
      {(consents.nextCursor !== null || may(frame, 'suppressions.change')) && (
        <p>
          <a href={all}>{consents.nextCursor === null ? 'Record a consent…' : 'All consents'}</a>
        </p>
      )}
    </section>
  );
}

function Calls({ frame, history: { phoneNumber, enrollments, calls, agents } }: HistoryProps) {
  const isEnrolled = enrollments.some(({ end_reason: endReason }) => endReason === null);
  const older = { ...parametersOf(frame, phoneNumber), cursor: calls.nextCursor };
  return (
    <section class="card" id="calls">
      <h2>Calls</h2>
      <p class="soft small">The newest first, times in {frame.zone}.</p>
      {calls.items.length === 0 && (
        <p>
          {isEnrolled
            ? 'No call to this number yet. The person waits in a campaign, see above.'
            : 'No call to this number was ever requested.'}
        </p>
      )}
      {calls.items.map((call) => callOf(frame, call, agents.get(call.agentId)))}
      {calls.nextCursor !== null && (
        <p>
          <a href={address(`${frame.base}/numbers`, older)}>Older calls</a>
        </p>
      )}
    </section>
  );
}

function callOf(frame: Frame, call: CallOfNumber, agent: string | undefined) {
  const { zone } = frame;
  return (
    <article class="call" data-call={call.id}>
      <div class="head">
        <Badge mood={moodOf(call.status)}>{stateLabel(call.status)}</Badge>
        <span>
          Requested <Instant zone={zone} at={call.acceptedAt} />
        </span>
        <span class="soft">{agent}</span>
        <a class="small" href={`/t/${frame.team?.id ?? ''}/calls/${call.id}`}>
          Its record
        </a>
      </div>
      <Answer frame={frame} call={call} />
      <details>
        <summary>Decisions and history</summary>
        <Decisions frame={frame} call={call} />
        <History frame={frame} call={call} />
      </details>
    </article>
  );
}

function parametersOf(frame: Frame, phoneNumber: string) {
  return { teamId: chosenTeam(frame), phoneNumber, timezone: frame.request.parameter('timezone') };
}
