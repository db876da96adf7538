import { CreateCampaignVersion } from '../../campaigns/admin/campaign-version.dto.js';
import { CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { CreateCampaign, UpdateCampaign } from '../../campaigns/admin/campaign.dto.js';
import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { type EnrollmentListFilter } from '../../campaigns/records/enrollment.dto.js';
import { EnrollmentsService } from '../../campaigns/records/enrollments.service.js';
import { VersionMigrationsService } from '../../campaigns/admin/version-migrations.service.js';
import { type CampaignStatsResource, type StatsCounts } from '../../campaigns/admin/campaign-stats.dto.js';
import { CampaignStatsService } from '../../campaigns/admin/campaign-stats.service.js';
import { AppError } from '../../http/app-error.js';
import { enrollmentOutput } from '../explain.js';
import { type Command, type FieldsOf, optional, type Output, pageOutput, record } from '../command.js';
import { json, text } from '../field-kinds.js';
import { FORECAST_COMMAND } from './forecast.js';

const FIELDS: FieldsOf<CreateCampaign> = {
  name: text('<text>', 'what people call it', { required: true }),
  status: text('<status>', 'draft, active, paused or archived; a new campaign is a draft'),
  pacing: json('how fast it dials, such as {"callsPerMinute": 60}', { clears: true }),
  reentry: json('how often a contact may enter, such as {"maxEntries": 2}', { clears: true }),
};

const DRAFT: FieldsOf<CreateCampaignVersion> = {
  definition: json('steps of the campaign, an object', { required: true }),
};

const OF_CAMPAIGN = {
  campaign: { value: '<campaign>', help: 'campaign of the enrollment, by its id or name', required: true },
};

const STATUSES = [
  ['pause', 'paused', 'Pause a campaign: it dials no call, and calls under way go on'],
  ['resume', 'active', 'Resume a paused or archived campaign: what is due is called as its pacing allows'],
] as const;

const STATUS_CHANGES = [
  ['pause', 'paused', 'Pause an enrollment'],
  ['resume', 'active', 'Resume a paused enrollment'],
  ['exit', 'exited', 'End an enrollment; this is final'],
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

export const CAMPAIGN_COMMANDS: readonly Command[] = [
  {
    name: 'campaign create',
    summary: 'Create a campaign with an empty current version',
    team: true,
    fields: FIELDS,
    run: async ({ service, teamId, body }) =>
      record(await service(CampaignsService).create(teamId, body(CreateCampaign))),
  },
  {
    name: 'campaign list',
    summary: 'List the campaigns',
    team: true,
    paged: true,
    run: async ({ service, teamId, page }) => {
      const campaigns = await service(CampaignsService).list(teamId, page());
      return pageOutput(campaigns, 'id', 'name', 'status', 'currentVersionId', 'draftVersionId');
    },
  },
  {
    name: 'campaign show',
    summary: 'Show a campaign',
    args: ['campaign'],
    team: true,
    run: async ({ service, teamId, arg, campaignNamed }) =>
      record(await service(CampaignsService).get(teamId, await campaignNamed(arg('campaign')))),
  },
  {
    name: 'campaign update',
    summary: 'Change the given fields of a campaign; only an active campaign takes enrollments',
    args: ['campaign'],
    team: true,
    fields: optional(FIELDS),
    run: async ({ service, teamId, arg, campaignNamed, body }) =>
      record(
        await service(CampaignsService).update(
          teamId,
          await campaignNamed(arg('campaign')),
          body(UpdateCampaign),
        ),
      ),
  },
  ...STATUSES.map(([word, status, summary]): Command => ({
    name: `campaign ${word}`,
    summary,
    args: ['campaign'],
    team: true,
    run: async ({ service, teamId, arg, campaignNamed }) =>
      record(
        await service(CampaignsService).update(teamId, await campaignNamed(arg('campaign')), { status }),
      ),
  })),
  {
    name: 'campaign archive',
    summary: 'Archive a campaign: it stops dialing, and its live enrollments end',
    args: ['campaign'],
    team: true,
    run: async ({ service, teamId, arg, campaignNamed }) =>
      record(await service(CampaignsService).archive(teamId, await campaignNamed(arg('campaign')))),
  },
  {
    name: 'campaign stats',
    summary: 'Count the enrollments and attempts of a campaign by their results',
    args: ['campaign'],
    team: true,
    run: async ({ service, teamId, arg, campaignNamed }) =>
      statsOutput(await service(CampaignStatsService).of(teamId, await campaignNamed(arg('campaign')))),
  },
  {
    name: 'campaign versions',
    summary: 'List the versions of a campaign, with the number enrolled on each',
    args: ['campaign'],
    team: true,
    paged: true,
    run: async ({ service, teamId, arg, campaignNamed, page }) => {
      const versions = await service(CampaignVersionsService).list(
        teamId,
        await campaignNamed(arg('campaign')),
        page(),
      );
      return pageOutput(versions, 'id', 'number', 'status', 'enrolled', 'publishedAt');
    },
  },
  {
    name: 'campaign draft',
    summary: 'Write the draft of a campaign: create it, or replace its definition',
    args: ['campaign'],
    team: true,
    fields: DRAFT,
    run: async ({ service, teamId, arg, campaignNamed, body }) => {
      const fields = body(CreateCampaignVersion);
      const { id, draftVersionId } = await service(CampaignsService).get(
        teamId,
        await campaignNamed(arg('campaign')),
      );
      const versions = service(CampaignVersionsService);
      if (draftVersionId === null) return record(await versions.create(teamId, id, fields));
      return record(await versions.update(teamId, id, draftVersionId, fields));
    },
  },
  {
    name: 'campaign publish',
    summary: 'Make the draft of a campaign its current version; enrollments keep their version',
    args: ['campaign'],
    team: true,
    run: async ({ service, teamId, arg, campaignNamed }) => {
      const { id, draftVersionId } = await service(CampaignsService).get(
        teamId,
        await campaignNamed(arg('campaign')),
      );
      if (draftVersionId === null) {
        throw new AppError('CONFLICT', 'The campaign has no draft: write one with `campaign draft`');
      }
      return record(await service(CampaignVersionsService).publish(teamId, id, draftVersionId));
    },
  },
  {
    name: 'campaign migrate',
    summary: 'Move the live enrollments of one version to another one',
    args: ['campaign'],
    team: true,
    options: {
      from: { value: '<id>', help: 'version that they leave', required: true },
      to: { value: '<id>', help: 'version that they move to', required: true },
      dryRun: { help: 'only show what would change' },
    },
    run: async ({ service, teamId, arg, campaignNamed, option, flag }) => {
      const migrations = service(VersionMigrationsService);
      const versions = { fromVersionId: option('from') ?? '', toVersionId: option('to') ?? '' };
      const keys = { teamId, campaignId: await campaignNamed(arg('campaign')), ...versions };
      return record(flag('dryRun') ? await migrations.plan(keys) : await migrations.migrate(keys));
    },
  },
  FORECAST_COMMAND,
  {
    name: 'campaign enrollments',
    summary: 'List the enrollments of a campaign',
    args: ['campaign'],
    team: true,
    paged: true,
    filters: {
      versionId: { value: '<id>', help: 'only on this version' },
      version: { value: '<version>', help: 'only on this version: current, draft or an id' },
      waitingFor: { value: '<rule>', help: 'only those that wait for this, such as retry' },
      phoneNumber: { value: '<number>', help: 'only of the contact with this number' },
      status: { value: '<status>', help: 'only active, paused, completed, exited or failed' },
    },
    run: async ({ service, teamId, arg, campaignNamed, page }) => {
      const enrollments = await service(EnrollmentsService).list(
        teamId,
        await campaignNamed(arg('campaign')),
        page<EnrollmentListFilter>(),
      );
      return pageOutput(
        enrollments,
        'id',
        'contactId',
        'entry',
        'status',
        'step',
        'waitingFor',
        'nextAttemptAt',
      );
    },
  },
  {
    name: 'enrollment show',
    summary: 'Show an enrollment: its step, why it is not dialed now, and its timeline',
    args: ['id'],
    team: true,
    options: OF_CAMPAIGN,
    run: async ({ service, teamId, arg, option, campaignNamed }) =>
      enrollmentOutput(
        await service(EnrollmentsService).get(
          teamId,
          await campaignNamed(option('campaign') ?? ''),
          arg('id'),
        ),
      ),
  },
  ...STATUS_CHANGES.map(([word, status, summary]): Command => ({
    name: `enrollment ${word}`,
    summary,
    args: ['id'],
    team: true,
    options: OF_CAMPAIGN,
    run: async ({ service, teamId, arg, option, campaignNamed }) =>
      enrollmentOutput(
        await service(EnrollmentsService).setStatus(
          teamId,
          await campaignNamed(option('campaign') ?? ''),
          arg('id'),
          status,
        ),
      ),
  })),
];
