import { type CampaignResource } from '../../campaigns/admin/campaign.dto.js';
import { type CampaignStatsResource, type StatsCounts } from '../../campaigns/admin/campaign-stats.dto.js';
import { AppError } from '../../http/app-error.js';
import { enrollmentOutput } from '../explain.js';
import { type Command, type Invocation, type Output, record } from '../command.js';
import { fieldOptions } from '../field-options.js';
import { operationCommand } from '../operation-command.js';
import { CAMPAIGN_RESULTS_COMMAND } from './campaign-results.js';
import { FORECAST_COMMAND } from './forecast.js';

const OF_CAMPAIGN = {
  campaignId: { name: 'campaign', help: 'The campaign of the enrollment, by its id or name.' },
};

const STATUSES = [
  ['pause', 'paused', 'Pause a campaign: it dials no call, and calls under way go on'],
  ['resume', 'active', 'Resume a paused or archived campaign: what is due is called as its pacing allows'],
] as const;

const STATUS_CHANGES = [
  ['pause', 'pauseEnrollment'],
  ['resume', 'resumeEnrollment'],
  ['exit', 'exitEnrollment'],
] as const;

/** Counts as people read them: a line for each kind, and the counts of each version. */
function statsOutput(stats: CampaignStatsResource): Output {
  const { byVersion, ...all } = stats;
  const versions = byVersion.map(({ number, versionId: _, ...counts }): [string, string] => [
    `version ${number}`,
    Object.entries(shownCounts(counts))
      .map(([name, count]) => `${name} ${count}`)
      .join('; '),
  ]);
  return {
    kind: 'record',
    value: stats,
    shown: { ...shownCounts(all), ...Object.fromEntries<string>(versions) },
  };
}

/** Kinds of the same count become one text, such as `reached 40, no_response 3`. */
function shownCounts(counts: StatsCounts): Record<string, number | string> {
  const shown: Record<string, number | string> = {};
  for (const [name, count] of Object.entries(counts) as [string, number | Record<string, number>][]) {
    shown[name] =
      typeof count === 'number'
        ? count
        : Object.entries(count)
            .sort(([, a], [, b]) => b - a)
            .map(([kind, number]) => `${kind} ${number}`)
            .join(', ');
  }
  return shown;
}

/** The campaign that the argument names. */
async function campaignOf({ send, arg, campaignNamed }: Invocation): Promise<CampaignResource> {
  return send<CampaignResource>('getCampaign', { id: await campaignNamed(arg('campaign')) });
}

export const CAMPAIGN_COMMANDS: readonly Command[] = [
  operationCommand({ name: 'campaign create', operation: 'createCampaign' }),
  operationCommand({
    name: 'campaign list',
    operation: 'listCampaigns',
    columns: ['id', 'name', 'status', 'currentVersionId', 'draftVersionId'],
  }),
  operationCommand({ name: 'campaign show', operation: 'getCampaign', args: { campaign: 'id' } }),
  operationCommand({ name: 'campaign update', operation: 'updateCampaign', args: { campaign: 'id' } }),
  ...STATUSES.map(([word, status, summary]) =>
    operationCommand({
      name: `campaign ${word}`,
      operation: 'updateCampaign',
      summary,
      args: { campaign: 'id' },
      body: { status },
    }),
  ),
  operationCommand({ name: 'campaign archive', operation: 'archiveCampaign', args: { campaign: 'id' } }),
  operationCommand({
    name: 'campaign stats',
    operation: 'getCampaignStats',
    args: { campaign: 'id' },
    show: statsOutput,
  }),
  CAMPAIGN_RESULTS_COMMAND,
  operationCommand({
    name: 'campaign versions',
    operation: 'listCampaignVersions',
    args: { campaign: 'campaignId' },
    columns: ['id', 'number', 'status', 'enrolled', 'publishedAt'],
  }),
  operationCommand({
    name: 'campaign version',
    operation: 'getCampaignVersion',
    summary: 'Show a version of a campaign with its definition',
    args: { campaign: 'campaignId', id: 'versionId' },
  }),
  {
    name: 'campaign draft',
    summary: 'Write the draft of a campaign: create it, or replace its definition',
    operations: ['getCampaign', 'createCampaignVersion', 'updateCampaignVersion'],
    args: ['campaign'],
    team: true,
    fields: fieldOptions('createCampaignVersion', { without: ['teamId', 'campaignId'] }),
    run: async (call) => {
      const fields = call.fields();
      const { id: campaignId, draftVersionId: versionId } = await campaignOf(call);
      return record(
        versionId === null
          ? await call.send<object>('createCampaignVersion', { campaignId, ...fields })
          : await call.send<object>('updateCampaignVersion', { campaignId, versionId, ...fields }),
      );
    },
  },
  {
    name: 'campaign publish',
    summary: 'Make the draft of a campaign its current version; enrollments keep their version',
    operations: ['getCampaign', 'publishCampaignVersion'],
    args: ['campaign'],
    team: true,
    run: async (call) => {
      const { id: campaignId, draftVersionId: versionId } = await campaignOf(call);
      if (versionId === null) {
        throw new AppError('CONFLICT', 'The campaign has no draft: write one with `campaign draft`');
      }
      return record(await call.send<object>('publishCampaignVersion', { campaignId, versionId }));
    },
  },
  operationCommand({
    name: 'campaign migrate',
    operation: 'migrateCampaignVersion',
    summary: 'Move the live enrollments of one version to another one',
    args: { campaign: 'campaignId' },
    flags: {
      fromVersionId: { name: 'from', help: 'The version that they leave.' },
      versionId: { name: 'to', help: 'The version that they move to.' },
      dryRun: { help: 'Only show what would change.' },
    },
  }),
  FORECAST_COMMAND,
  operationCommand({
    name: 'campaign enrollments',
    operation: 'listCampaignEnrollments',
    args: { campaign: 'campaignId' },
    columns: ['id', 'contactId', 'entry', 'status', 'step', 'waitingFor', 'nextAttemptAt'],
  }),
  operationCommand({
    name: 'enrollment show',
    operation: 'getEnrollment',
    summary: 'Show an enrollment: its step, why it is not dialed now, and its timeline',
    args: { id: 'enrollmentId' },
    flags: OF_CAMPAIGN,
    show: enrollmentOutput,
  }),
  ...STATUS_CHANGES.map(([word, operation]) =>
    operationCommand({
      name: `enrollment ${word}`,
      operation,
      args: { id: 'enrollmentId' },
      flags: OF_CAMPAIGN,
      show: enrollmentOutput,
    }),
  ),
];
