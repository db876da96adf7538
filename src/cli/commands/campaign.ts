import { CreateCampaignVersion } from '../../campaigns/definition/campaign-version.dto.js';
import { CampaignVersionsService } from '../../campaigns/definition/campaign-versions.service.js';
import { CreateCampaign, UpdateCampaign } from '../../campaigns/definition/campaign.dto.js';
import { CampaignsService } from '../../campaigns/definition/campaigns.service.js';
import { type EnrollmentListFilter } from '../../campaigns/records/enrollment.dto.js';
import { EnrollmentsService } from '../../campaigns/records/enrollments.service.js';
import { VersionMigrationsService } from '../../campaigns/definition/version-migrations.service.js';
import { CampaignStatsService } from '../../campaigns/definition/campaign-stats.service.js';
import { AppError } from '../../http/app-error.js';
import { enrollmentOutput } from '../explain.js';
import { type Command, type FieldsOf, optional, pageOutput, record } from '../command.js';
import { json, text } from '../field-kinds.js';
import { FORECAST_COMMAND } from './forecast.js';

const FIELDS: FieldsOf<CreateCampaign> = {
  name: text('<text>', 'what people call it', { required: true }),
  status: text('<status>', 'draft, active, paused or archived', { required: true }),
  pacing: json('how fast it dials, such as {"callsPerMinute": 60}', { clears: true }),
  reentry: json('how often a contact may enter, such as {"maxEntries": 2}', { clears: true }),
};

const DRAFT: FieldsOf<CreateCampaignVersion> = {
  definition: json('steps of the campaign, an object', { required: true }),
};

const OF_CAMPAIGN = { campaign: { value: '<id>', help: 'campaign of the enrollment', required: true } };

const STATUSES = [
  ['pause', 'paused', 'Pause a campaign: it dials no call, and calls under way go on'],
  ['resume', 'active', 'Resume a paused or archived campaign: what is due is called as its pacing allows'],
] as const;

const STATUS_CHANGES = [
  ['pause', 'paused', 'Pause an enrollment'],
  ['resume', 'active', 'Resume a paused enrollment'],
  ['exit', 'exited', 'End an enrollment; this is final'],
] as const;

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
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) => record(await service(CampaignsService).get(teamId, arg('id'))),
  },
  {
    name: 'campaign update',
    summary: 'Change the given fields of a campaign; only an active campaign takes enrollments',
    args: ['id'],
    team: true,
    fields: optional(FIELDS),
    run: async ({ service, teamId, arg, body }) =>
      record(await service(CampaignsService).update(teamId, arg('id'), body(UpdateCampaign))),
  },
  ...STATUSES.map(([word, status, summary]): Command => ({
    name: `campaign ${word}`,
    summary,
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) =>
      record(await service(CampaignsService).update(teamId, arg('id'), { status })),
  })),
  {
    name: 'campaign archive',
    summary: 'Archive a campaign: it stops dialing, and its live enrollments end',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) =>
      record(await service(CampaignsService).archive(teamId, arg('id'))),
  },
  {
    name: 'campaign stats',
    summary: 'Count the enrollments and attempts of a campaign by their results',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) =>
      record(await service(CampaignStatsService).of(teamId, arg('id'))),
  },
  {
    name: 'campaign versions',
    summary: 'List the versions of a campaign, with the number enrolled on each',
    args: ['id'],
    team: true,
    paged: true,
    run: async ({ service, teamId, arg, page }) => {
      const versions = await service(CampaignVersionsService).list(teamId, arg('id'), page());
      return pageOutput(versions, 'id', 'number', 'status', 'enrolled', 'publishedAt');
    },
  },
  {
    name: 'campaign draft',
    summary: 'Write the draft of a campaign: create it, or replace its definition',
    args: ['id'],
    team: true,
    fields: DRAFT,
    run: async ({ service, teamId, arg, body }) => {
      const fields = body(CreateCampaignVersion);
      const { id, draftVersionId } = await service(CampaignsService).get(teamId, arg('id'));
      const versions = service(CampaignVersionsService);
      if (draftVersionId === null) return record(await versions.create(teamId, id, fields));
      return record(await versions.update(teamId, id, draftVersionId, fields));
    },
  },
  {
    name: 'campaign publish',
    summary: 'Make the draft of a campaign its current version; enrollments keep their version',
    args: ['id'],
    team: true,
    run: async ({ service, teamId, arg }) => {
      const { id, draftVersionId } = await service(CampaignsService).get(teamId, arg('id'));
      if (draftVersionId === null) {
        throw new AppError('CONFLICT', 'The campaign has no draft: write one with `campaign draft`');
      }
      return record(await service(CampaignVersionsService).publish(teamId, id, draftVersionId));
    },
  },
  {
    name: 'campaign migrate',
    summary: 'Move the live enrollments of one version to another one',
    args: ['id'],
    team: true,
    options: {
      from: { value: '<id>', help: 'version that they leave', required: true },
      to: { value: '<id>', help: 'version that they move to', required: true },
      dryRun: { help: 'only show what would change' },
    },
    run: async ({ service, teamId, arg, option, flag }) => {
      const migrations = service(VersionMigrationsService);
      const versions = { fromVersionId: option('from') ?? '', toVersionId: option('to') ?? '' };
      const keys = { teamId, campaignId: arg('id'), ...versions };
      return record(flag('dryRun') ? await migrations.plan(keys) : await migrations.migrate(keys));
    },
  },
  FORECAST_COMMAND,
  {
    name: 'campaign enrollments',
    summary: 'List the enrollments of a campaign',
    args: ['id'],
    team: true,
    paged: true,
    filters: {
      versionId: { value: '<id>', help: 'only on this version' },
      version: { value: '<version>', help: 'only on this version: current, draft or an id' },
      waitingFor: { value: '<rule>', help: 'only those that wait for this, such as retry' },
      status: { value: '<status>', help: 'only active, paused, completed, exited or failed' },
    },
    run: async ({ service, teamId, arg, page }) => {
      const enrollments = await service(EnrollmentsService).list(
        teamId,
        arg('id'),
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
    run: async ({ service, teamId, arg, option }) =>
      enrollmentOutput(await service(EnrollmentsService).get(teamId, option('campaign') ?? '', arg('id'))),
  },
  ...STATUS_CHANGES.map(([word, status, summary]): Command => ({
    name: `enrollment ${word}`,
    summary,
    args: ['id'],
    team: true,
    options: OF_CAMPAIGN,
    run: async ({ service, teamId, arg, option }) =>
      enrollmentOutput(
        await service(EnrollmentsService).setStatus(teamId, option('campaign') ?? '', arg('id'), status),
      ),
  })),
];
