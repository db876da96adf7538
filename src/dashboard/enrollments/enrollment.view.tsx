import { type ComponentChildren } from 'preact';
import { type CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { type CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { type EnrollmentsService } from '../../campaigns/records/enrollments.service.js';
import { endLabel, waitLabel } from '../../domain/narrator/enrollment.js';
import { tellTimeline } from '../../domain/narrator/timeline.js';
import { tellWhyNot } from '../../domain/narrator/why-not.js';
import { address } from '../design/address.js';
import { enrollmentsOf } from '../campaigns/campaign.view.js';
import { NumberLink, Question } from '../frame/controls.js';
import { type NamedContact } from './enrollment-page.sql.js';
import { contactLabel, ContactName, EnrollmentBadge } from './enrollments.view.js';
import { Layout } from '../frame/layout.js';
import { count, timeIn } from '../design/local-time.js';
import { Instant } from '../design/instant.view.js';
import { type Frame, may } from '../frame/page-frame.service.js';

type EnrollmentDetail = Awaited<ReturnType<EnrollmentsService['get']>>;

/** What the page shows of an enrollment. */
export interface ShownEnrollment {
  campaign: Awaited<ReturnType<CampaignsService['get']>>;
  versions: Awaited<ReturnType<CampaignVersionsService['list']>>['items'];
  enrollment: EnrollmentDetail;
  contact: NamedContact | undefined;
}

/** One enrollment: why it is not dialed now, what happened to it, and what can be done about it. */
export function enrollmentPage(frame: Frame, shown: ShownEnrollment) {
  const { campaign, enrollment, contact } = shown;
  const timezone = frame.request.parameter('timezone');
  const campaignPath = `/t/${frame.team?.id ?? ''}/campaigns/${campaign.id}`;
  return (
    <Layout frame={frame} section="campaigns" title={`${contactLabel(contact)}, ${campaign.name}`}>
      <h1>
        <ContactName contact={contact} /> <EnrollmentBadge status={enrollment.status} />
      </h1>
      <p class="soft small">
        {enrollment.id} · <a href={address(campaignPath, { timezone })}>{campaign.name}</a> ·{' '}
        <a href={enrollmentsOf(frame, campaign.id)}>Its enrollments</a> · times in {frame.zone}
      </p>
      <section class="card" id="why-not">
        <h2>Why is this person not called now?</h2>
        <WhyNot frame={frame} enrollment={enrollment} />
      </section>
      <div class="cards">
        <section class="card" id="timeline">
          <h2>What happened</h2>
          <Timeline frame={frame} shown={shown} />
        </section>
        <section class="card" id="facts">
          <h2>The enrollment</h2>
          <Facts frame={frame} shown={shown} />
        </section>
      </div>
      <Steering frame={frame} path={`${campaignPath}/enrollments/${enrollment.id}`} enrollment={enrollment} />
    </Layout>
  );
}

function WhyNot({ frame, enrollment }: { frame: Frame; enrollment: EnrollmentDetail }) {
  const { whyNot, endReason, status } = enrollment;
  if (whyNot !== null) {
    const { title, text, next } = tellWhyNot(whyNot, (at) => timeIn(frame.zone, at));
    return (
      <p data-rule={whyNot.rule}>
        <b>{title}.</b> {text} {next}
      </p>
    );
  }
  if (status === 'active')
    return <p>Nothing is in the way: it is decided next, or its version places no calls.</p>;
  if (status === 'paused') return <p>It is paused.</p>;
  return <p>It has ended{endReason === null ? '.' : `: ${endLabel(endReason)}.`}</p>;
}

interface PartProps {
  frame: Frame;
  shown: ShownEnrollment;
}

/** What happened to the enrollment, oldest first, like the history of a call. */
function Timeline({ frame: { base, zone }, shown: { enrollment, versions } }: PartProps) {
  const numberOf = (id: string) => String(versions.find((version) => version.id === id)?.number ?? id);
  const lines = tellTimeline(enrollment.timeline, (at) => timeIn(zone, at), numberOf);
  if (lines.length === 0) return <p class="soft">Nothing yet.</p>;
  return (
    <ol class="history">
      {lines.map(({ at, text, callRequestId }) => (
        <li>
          <span class="soft nowrap">
            <Instant zone={zone} at={at} seconds />
          </span>
          <span>{callRequestId === null ? text : <a href={`${base}/calls/${callRequestId}`}>{text}</a>}</span>
        </li>
      ))}
    </ol>
  );
}

function Facts({ frame, shown: { enrollment, contact, versions } }: PartProps) {
  const { zone, team } = frame;
  const { entry, versionId, step, attempts, waitingFor, nextAttemptAt, endReason, source, createdAt } =
    enrollment;
  const number = versions.find((version) => version.id === versionId)?.number;
  const lines: [string, ComponentChildren][] = [
    ['Number', contact && team && <NumberLink teamId={team.id} phoneNumber={contact.phone_number} />],
    ['Enrolled', <Instant zone={zone} at={createdAt} />],
    ['Entry', entry > 1 ? `Number ${entry} of this contact` : null],
    ['Version', number ?? versionId],
    ['Step', step],
    ['Calls', count(attempts)],
    ['Waits for', waitingFor && waitLabel(waitingFor)],
    ['Next attempt', nextAttemptAt && <Instant zone={zone} at={nextAttemptAt} />],
    ['Ended by', endReason && endLabel(endReason)],
    ['Source', source],
  ];
  return (
    <dl class="facts">
      {lines
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

interface SteeringProps {
  frame: Frame;
  /** The path of the enrollment's page. */
  path: string;
  enrollment: EnrollmentDetail;
}

function Steering({ frame, path, enrollment: { status } }: SteeringProps) {
  if (!may(frame, 'campaigns.change') || (status !== 'active' && status !== 'paused')) return null;
  return (
    <section class="card" id="steering">
      <h2>Pause, resume and end</h2>
      <div class="choices">
        {status === 'active' ? (
          <Question frame={frame} action={`${path}/pause`} what="Pause" answer="Yes, dial no call for it">
            A call under way goes on, and its outcome still applies. The lifetime goes on, too.
          </Question>
        ) : (
          <Question frame={frame} action={`${path}/resume`} what="Resume" answer="Yes, dial its calls">
            If it is due, it is called at once.
          </Question>
        )}
        <Question frame={frame} action={`${path}/exit`} what="End" answer="Yes, end it permanently">
          It is not called any more. A call under way goes on.
        </Question>
      </div>
    </section>
  );
}
