import { type CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { type CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { type VersionMigrationsService } from '../../campaigns/admin/version-migrations.service.js';
import { Badge, PostForm } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { count } from '../design/local-time.js';
import { type Frame } from '../frame/page-frame.service.js';

type VersionMigrationPlan = Awaited<ReturnType<VersionMigrationsService['plan']>>;
type Versions = Awaited<ReturnType<CampaignVersionsService['list']>>['items'];

/** What the page shows of a migration. */
export interface ShownMigration {
  campaign: Awaited<ReturnType<CampaignsService['get']>>;
  versions: Versions;
  /** Live enrollments by version. */
  live: ReadonlyMap<string, number>;
  from: string | null;
  to: string | null;
  /** Null until both versions are chosen. */
  plan: VersionMigrationPlan | null;
}

/** Labels of the parts of a version besides its steps, and of the parts of a step. */
const CHANGES: Record<string, string> = {
  variables: 'variables',
  hours: 'calling hours',
  closedDates: 'closed dates',
  caps: 'caps',
  agentId: 'voice agent',
  after: 'wait before the first call',
  maxAttempts: 'number of calls',
  retry: 'retries',
  on: 'what follows',
};

/** Chooses the two versions, shows what a migration would change, and asks for confirmation. */
export function migrationPage(frame: Frame, shown: ShownMigration) {
  const { campaign, versions, live, from, to, plan } = shown;
  const page = `/t/${frame.team?.id ?? ''}/campaigns/${campaign.id}`;
  const timezone = frame.request.parameter('timezone');
  return (
    <Layout frame={frame} section="campaigns" title={`Move enrollments, ${campaign.name}`}>
      <h1>Move live enrollments to another version</h1>
      <p class="soft small">
        <a href={page}>{campaign.name}</a>
      </p>
      <form class="bar" method="get" action={`${page}/migrate`}>
        {timezone !== null && <input type="hidden" name="timezone" value={timezone} />}
        <VersionSelect label="From" name="from" versions={versions} chosen={from} live={live} />
        <VersionSelect
          label="To"
          name="to"
          versions={versions}
          chosen={to ?? campaign.currentVersionId}
          live={live}
        />
        <button class={plan === null ? 'main' : undefined}>Show what changes</button>
      </form>
      {plan !== null && <Plan frame={frame} page={page} plan={plan} versions={versions} />}
    </Layout>
  );
}

interface VersionSelectProps {
  label: string;
  name: string;
  versions: Versions;
  chosen: string | null;
  live: ReadonlyMap<string, number>;
}

function VersionSelect({ label, name, versions, chosen, live }: VersionSelectProps) {
  return (
    <label>
      {label}
      <select name={name} required>
        {versions.map(({ id, number, status }) => (
          <option value={id} selected={id === chosen}>
            {`Version ${number}${status === 'draft' ? ' (draft)' : ''}, ${count(live.get(id) ?? 0)} live`}
          </option>
        ))}
      </select>
    </label>
  );
}

interface PlanProps {
  frame: Frame;
  /** The address of the campaign's page. */
  page: string;
  plan: VersionMigrationPlan;
  versions: Versions;
}

function Plan({ frame, page, plan, versions }: PlanProps) {
  const { fromVersionId, toVersionId, live, steps, missingSteps, changes } = plan;
  const nameOf = (id: string) => `version ${versions.find((version) => version.id === id)?.number ?? id}`;
  return (
    <section class="card" id="plan">
      <h2>
        {count(live)} live {live === 1 ? 'enrollment' : 'enrollments'}: from {nameOf(fromVersionId)} to{' '}
        {nameOf(toVersionId)}
      </h2>
      {steps.length > 0 && (
        <table class="stack">
          <thead>
            <tr>
              <th>Step</th>
              <th class="number">Live</th>
              <th>Changes</th>
            </tr>
          </thead>
          {steps.map((step) => (
            <tr data-step={step.step ?? ''}>
              <td class="long">
                {step.step ?? 'Before the first step'} {!step.exists && <Badge mood="bad">Missing</Badge>}
              </td>
              <td class="number" data-name="Live">
                {count(step.live)}
              </td>
              <td data-name="Changes">
                {step.exists ? labelled(step.changes) : 'the version has no such step'}
              </td>
            </tr>
          ))}
        </table>
      )}
      <p>For all steps: {labelled(changes)}.</p>
      {missingSteps.length > 0 && (
        <p class="notice bad" role="alert">
          Nothing can be moved: {nameOf(toVersionId)} has no step {missingSteps.join(', ')}.
        </p>
      )}
      {missingSteps.length === 0 && live === 0 && <p>There is nothing to move.</p>}
      {missingSteps.length === 0 && live > 0 && (
        <>
          <p class="soft small">
            Attempts that were made go on counting, and no call is dialed earlier than before. Until all are
            moved, the campaign claims no call.
          </p>
          <PostForm
            frame={{ ...frame, request: { ...frame.request, self: page } }}
            action={`${page}/versions/${toVersionId}/migrate`}
          >
            <input type="hidden" name="from" value={fromVersionId} />
            <button class="danger">
              Yes, move {live === 1 ? 'it' : `all ${count(live)}`} to {nameOf(toVersionId)}
            </button>
          </PostForm>
        </>
      )}
      <p>
        <a href={page}>No, back to the campaign</a>
      </p>
    </section>
  );
}

function labelled(changes: readonly string[]): string {
  return changes.length === 0 ? 'no change' : changes.map((change) => CHANGES[change] ?? change).join(', ');
}
