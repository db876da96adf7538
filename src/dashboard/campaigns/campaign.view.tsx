import { type CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { type CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { type CampaignStatsService } from '../../campaigns/admin/campaign-stats.service.js';
import { type CampaignPacing } from '../../domain/campaigns/definition/parse-settings.js';
import { endLabel, waitLabel } from '../../domain/narrator/enrollment.js';
import { outcomeLabel } from '../../domain/narrator/labels.js';
import { COUNTED_AN_HOUR } from './campaign-page.sql.js';
import { StatusBadge } from './campaigns.view.js';
import { type Hour, HoursChart } from '../design/chart.view.js';
import { address } from '../design/address.js';
import { hearsChanges, renewed } from '../live/live.view.js';
import { callsOf } from '../calls/call-filters.js';
import { Badge, Question } from '../frame/controls.js';
import { Figures } from '../design/figures.view.js';
import { Layout } from '../frame/layout.js';
import { count, limitText } from '../design/local-time.js';
import { type Frame, may } from '../frame/page-frame.service.js';

/** What the page shows of a campaign. */
export interface ShownCampaign {
  campaign: Awaited<ReturnType<CampaignsService['get']>>;
  stats: Awaited<ReturnType<CampaignStatsService['of']>>;
  versions: Awaited<ReturnType<CampaignVersionsService['list']>>['items'];
  /** Versions whose live enrollments are being moved to another version. */
  moving: ReadonlySet<string>;
  /** The next 24 hours. */
  hours: Hour[];
}

export function campaignPage(frame: Frame, shown: ShownCampaign) {
  const { campaign, stats, hours } = shown;
  const more = hours.some(({ calls }) => calls >= COUNTED_AN_HOUR);
  return (
    <Layout frame={frame} section="campaigns" title={campaign.name} live>
      <h1>{campaign.name}</h1>
      <div {...hearsChanges(frame.base)} />
      <p class="soft small">
        <StatusBadge status={campaign.status} /> {campaign.id} ·{' '}
        <a href={enrollmentsOf(frame, campaign.id)}>Its enrollments</a> ·{' '}
        <a href={callsOf(frame, { campaignId: campaign.id })}>Its calls</a> ·{' '}
        <a href={pageOf(frame, campaign.id, 'results')}>Results as CSV</a>
        {may(frame, 'campaigns.change') && (
          <>
            {' · '}
            <a href={pageOf(frame, campaign.id, 'enroll')}>Enroll contacts…</a>
            {' · '}
            <a href={pageOf(frame, campaign.id, 'edit')}>Its settings</a>
          </>
        )}
      </p>
      <p class="soft small" id="pacing">
        {pacingText(campaign.pacing)}
      </p>
      <div {...renewed('figures', frame.request.self)}>
        <WithoutSteps shown={shown} />
        <Funnel stats={stats} />
        <section class="card" id="due">
          <h2>Due in the next 24 hours</h2>
          <HoursChart
            hours={hours}
            zone={frame.zone}
            title="Enrollments due in the next 24 hours by hour"
            empty="No enrollment is due within these hours."
          />
          <p class="soft small">
            By the hour in {frame.zone}, with what is overdue in the first.
            {more && ` Hours with ${count(COUNTED_AN_HOUR)} have at least this many.`}
          </p>
        </section>
        <div class="cards">
          <Figures
            id="waiting"
            title="Waiting for"
            counts={stats.waitingFor}
            label={waitLabel}
            linkOf={(waitingFor) => enrollmentsOf(frame, campaign.id, { waitingFor })}
          >
            Live enrollments by what they wait for.
          </Figures>
          <Figures id="ended" title="Ended" counts={stats.ended} label={endLabel}>
            Enrollments that have ended, by the reason.
          </Figures>
          <Figures id="attempts" title="Attempts" counts={stats.attempts} label={outcomeLabel}>
            Calls that were dialed, by their outcome.
          </Figures>
        </div>
        <Versions frame={frame} shown={shown} />
      </div>
      <Steering frame={frame} campaign={campaign} />
    </Layout>
  );
}

/** The pacing that is in force. */
function pacingText({ callsPerMinute, maxConcurrentCalls, weight }: CampaignPacing): string {
  const texts = [
    `Calls a minute: ${limitText(callsPerMinute)}`,
    `active calls: ${limitText(maxConcurrentCalls)}`,
    `weight ${weight}`,
  ];
  return `${texts.join(' · ')}.`;
}

/** Says that contacts which are enrolled now are not called. */
function WithoutSteps({ shown: { campaign, versions } }: { shown: ShownCampaign }) {
  const current = versions.find(({ id }) => id === campaign.currentVersionId);
  const steps = current?.definition.steps;
  if (current === undefined || campaign.status === 'archived') return null;
  if (Array.isArray(steps) && steps.length > 0) return null;
  return (
    <p class="notice warn" id="no-steps">
      The current version has no steps, so the contacts that are enrolled on it are not called.
      {campaign.draftVersionId !== null && ' Publish the draft, and move the enrollments to it.'}
    </p>
  );
}

/** The address of a page below that of a campaign. */
function pageOf({ team, request }: Frame, campaignId: string, path: string): string {
  const timezone = request.parameter('timezone');
  return address(`/t/${team?.id ?? ''}/campaigns/${campaignId}/${path}`, { timezone });
}

/** The address of the list of a campaign's enrollments. */
export function enrollmentsOf(
  { team, request }: Frame,
  campaignId: string,
  filters: Record<string, string | null | undefined> = {},
): string {
  const path = `/t/${team?.id ?? ''}/campaigns/${campaignId}/enrollments`;
  return address(path, { ...filters, timezone: request.parameter('timezone') });
}

function Funnel({ stats }: Pick<ShownCampaign, 'stats'>) {
  const { enrolled, live, attempted, reached, goals } = stats;
  const steps = [
    { id: 'enrolled', name: `Enrolled, ${count(live)} of them live`, figure: enrolled },
    { id: 'attempted', name: 'Attempted', figure: attempted },
    { id: 'reached', name: 'Reached', figure: reached },
    { id: 'goals', name: 'Goals', figure: goals },
  ];
  return (
    <div class="tiles" id="funnel">
      {steps.map(({ id, name, figure }) => (
        <div class="tile" id={`tile-${id}`}>
          <span class="name">
            {name}
            {id !== 'enrolled' && `, ${shareOf(figure, enrolled)}`}
          </span>
          <b>{count(figure)}</b>
        </div>
      ))}
    </div>
  );
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${Math.round((part / whole) * 100)} %`;
}

function Versions({ frame, shown }: { frame: Frame; shown: ShownCampaign }) {
  const { campaign, stats, versions, moving } = shown;
  const mayMove = may(frame, 'campaigns.change');
  const counted = new Map(stats.byVersion.map((version) => [version.versionId, version]));
  return (
    <section class="card" id="versions">
      <div class="head-row">
        <h2>Versions</h2>
        {mayMove && (
          <a href={pageOf(frame, campaign.id, `versions/${campaign.draftVersionId ?? 'new'}`)}>
            {campaign.draftVersionId === null ? 'New version' : 'Edit the draft'}
          </a>
        )}
      </div>
      <table class="stack">
        <thead>
          <tr>
            <th>Version</th>
            <th class="number">Live</th>
            <th class="number">Enrolled</th>
            <th class="number">Reached</th>
            <th class="number">Move</th>
            <th class="number">Forecast</th>
            {mayMove && campaign.draftVersionId !== null && <th class="number">Publish</th>}
          </tr>
        </thead>
        {versions.map(({ id, number, status, enrolled }) => (
          <tr data-version={id}>
            <td>
              <a href={pageOf(frame, campaign.id, `versions/${id}`)} aria-label={`Version ${number}`}>
                {number}
              </a>{' '}
              {id === campaign.currentVersionId && <Badge mood="good">Current</Badge>}
              {status === 'draft' && <Badge>Draft</Badge>}
              {moving.has(id) && <Badge mood="warn">Being moved</Badge>}
            </td>
            <td class="number" data-name="Live">
              {count(counted.get(id)?.live ?? 0)}
            </td>
            <td class="number" data-name="Enrolled">
              <a href={enrollmentsOf(frame, campaign.id, { version: id })}>{count(enrolled)}</a>
            </td>
            <td class="number" data-name="Reached">
              {count(counted.get(id)?.reached ?? 0)}
            </td>
            <td class="number">
              {mayMove && (counted.get(id)?.live ?? 0) > 0 && versions.length > 1 && (
                <a href={moveAddress(frame, campaign.id, id)}>Move them…</a>
              )}
            </td>
            <td class="number">
              <a href={pageOf(frame, campaign.id, `versions/${id}/forecast`)}>Forecast…</a>
            </td>
            {mayMove && campaign.draftVersionId !== null && (
              <td class="number">
                {status === 'draft' && (
                  <a href={pageOf(frame, campaign.id, `versions/${id}/publish`)}>Publish…</a>
                )}
              </td>
            )}
          </tr>
        ))}
      </table>
      <p class="soft small">
        Enrollments stay on the version that they were enrolled on, until they are moved.
      </p>
    </section>
  );
}

function moveAddress({ team, request }: Frame, campaignId: string, from: string): string {
  const path = `/t/${team?.id ?? ''}/campaigns/${campaignId}/migrate`;
  return address(path, { from, timezone: request.parameter('timezone') });
}

interface SteeringProps {
  frame: Frame;
  campaign: ShownCampaign['campaign'];
}

function Steering({ frame, campaign: { id, status } }: SteeringProps) {
  const path = `/t/${frame.team?.id ?? ''}/campaigns/${id}`;
  if (!may(frame, 'campaigns.change')) return null;
  return (
    <section class="card" id="steering">
      <h2>{status === 'draft' ? 'Activate and archive' : 'Pause, resume and archive'}</h2>
      {status === 'archived' ? (
        <>
          <p>The campaign is archived: it dials no call, and its enrollments end.</p>
          <div class="choices">
            <Question
              frame={frame}
              action={`${path}/resume`}
              what="Resume"
              answer="Yes, take enrollments again"
            >
              Contacts that were never in it can be enrolled. Enrollments that were live when it was archived
              stay ended.
            </Question>
          </div>
        </>
      ) : (
        <div class="choices">
          {status === 'active' ? (
            <Question frame={frame} action={`${path}/pause`} what="Pause" answer="Yes, dial no call for it">
              Calls under way go on. Enrollments whose lifetime ends meanwhile are not called later.
            </Question>
          ) : (
            <Question
              frame={frame}
              action={`${path}/resume`}
              what={status === 'draft' ? 'Activate' : 'Resume'}
              answer="Yes, dial its calls"
            >
              Enrollments that are due are called at once, as fast as its pacing allows.
            </Question>
          )}
          <Question frame={frame} action={`${path}/archive`} what="Archive" answer="Yes, end its enrollments">
            It dials no call any more, and all of its live enrollments end. Resuming it brings none of them
            back.
          </Question>
        </div>
      )}
    </section>
  );
}
