import { describeBody } from '../../http/body-schema.js';
import {
  ANY_OBJECT_SCHEMA,
  COUNT_SCHEMA,
  described,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  listOf,
  nullable,
  objectOf,
  oneOf,
  ORDINAL_SCHEMA,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../../http/json-schema.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { byKey, documented, type OperationsOf, pageOfItems } from '../../http/openapi/operation.js';
import { MAX_JSON_BYTES } from '../../http/validators.js';
import {
  type CampaignVersionResource,
  CreateCampaignVersion,
  type PublishedCampaignVersionResource,
  UpdateCampaignVersion,
} from './campaign-version.dto.js';
import { type CampaignVersionRoutes } from './campaign-version-routes.js';
import { CampaignVersionsController } from './campaign-versions.controller.js';
import { CampaignVersionsAdminController } from './campaign-versions-admin.controller.js';
import { DEFINITION_EXAMPLE } from '../definition/definition.schema.js';
import { PUBLICATION_WARNING } from '../definition/publication-warnings.schema.js';
import {
  MigrateCampaignVersion,
  type MigratedStep,
  type VersionMigrationPlan,
} from './version-migration.dto.js';

describeBody([CreateCampaignVersion, UpdateCampaignVersion], {
  definition: {
    description: `The steps, variables, hours and caps of the version. It is replaced as a whole. It can have at most ${MAX_JSON_BYTES} bytes of JSON.`,
    examples: [DEFINITION_EXAMPLE],
  },
});

const VERSION_PROPERTIES = {
  id: UUID_SCHEMA,
  campaignId: UUID_SCHEMA,
  number: described(ORDINAL_SCHEMA, 'The number of the version within the campaign, from 1.'),
  status: oneOf(['draft', 'published']),
  definition: ANY_OBJECT_SCHEMA,
  enrolled: described(COUNT_SCHEMA, 'The number of enrollments on this version, in any status.'),
  createdAt: INSTANT_SCHEMA,
  publishedAt: described(nullable(INSTANT_SCHEMA), 'When the version was published. Null for a draft.'),
};

const VERSION = objectOf<CampaignVersionResource>('CampaignVersionResource', VERSION_PROPERTIES);

const PUBLISHED_VERSION = objectOf<PublishedCampaignVersionResource>('PublishedCampaignVersionResource', {
  ...VERSION_PROPERTIES,
  warnings: listOf(PUBLICATION_WARNING),
});

describeBody([MigrateCampaignVersion], {
  fromVersionId:
    'The version from which the live enrollments are moved. It must be another version of the campaign.',
});

const MIGRATION_PLAN = objectOf<VersionMigrationPlan>('VersionMigrationPlan', {
  fromVersionId: UUID_SCHEMA,
  toVersionId: UUID_SCHEMA,
  live: described(COUNT_SCHEMA, 'The number of live enrollments on the version `fromVersionId`.'),
  steps: described(
    listOf(
      objectOf<MigratedStep>('MigratedStep', {
        step: described(
          nullable(TEXT_SCHEMA),
          'The key of the step. Null for enrollments before the first call of the first step.',
        ),
        live: described(COUNT_SCHEMA, 'The number of live enrollments at the step.'),
        exists: described(FLAG_SCHEMA, 'Whether the version `toVersionId` has the step.'),
        changes: described(
          listOf(TEXT_SCHEMA),
          'The keys of the step that differ between the two versions, such as `retry`.',
        ),
      }),
    ),
    'The steps at which the live enrollments are.',
  ),
  missingSteps: described(
    listOf(TEXT_SCHEMA),
    'The keys of steps with live enrollments that the version `toVersionId` does not have. If there are any, no enrollment can be moved.',
  ),
  changes: described(
    listOf(TEXT_SCHEMA),
    'Which of `variables`, `hours`, `closedDates` and `caps` differ between the two versions.',
  ),
});

const OPERATIONS: OperationsOf<CampaignVersionRoutes> = {
  list: {
    id: 'listCampaignVersions',
    summary: 'List the versions of a campaign with the number of enrollments on each',
    success: {
      description: 'A page of versions.',
      schema: pageOfItems(VERSION, 'CampaignVersionResourcePage'),
    },
  },
  create: {
    id: 'createCampaignVersion',
    summary: 'Create the draft of a campaign',
    success: { description: 'The draft.', schema: VERSION },
    refusals: { 409: errorDoc('The campaign already has a draft.', 'The campaign already has a draft') },
  },
  get: {
    id: 'getCampaignVersion',
    summary: 'Read a version',
    success: { description: 'The version.', schema: VERSION },
  },
  update: {
    id: 'updateCampaignVersion',
    summary: 'Change the draft',
    success: { description: 'The draft.', schema: VERSION },
    refusals: {
      409: errorDoc(
        'The version is already published, or the new definition lacks a step at which live enrollments are.',
        'Only a draft can be changed',
        'Live enrollments of the draft are at the step first, so it must stay',
      ),
    },
  },
  publish: {
    id: 'publishCampaignVersion',
    summary: 'Publish the draft, which becomes the current version',
    success: {
      description: 'The published version, with warnings about its definition.',
      schema: PUBLISHED_VERSION,
    },
    refusals: { 409: errorDoc('The version is already published.', 'Only a draft can be published') },
  },
  migrate: {
    id: 'migrateCampaignVersion',
    summary: 'Move the live enrollments of another version to this one',
    description:
      'The worker moves the enrollments in batches. Until all are moved, the campaign starts no further call. Earlier calls of the ' +
      'enrollments still count. No planned call is placed earlier than the previous version planned it.',
    query: {
      dryRun: {
        description: 'With `true`, nothing is changed. The answer 200 states what would change.',
        schema: FLAG_SCHEMA,
      },
    },
    status: 202,
    success: {
      description: 'The migration has started. The answer states what changes.',
      schema: MIGRATION_PLAN,
    },
    refusals: {
      200: { description: 'The answer to `dryRun=true`: what would change.', schema: MIGRATION_PLAN },
      409: errorDoc(
        'This version lacks a step at which live enrollments are, or an agent of this version was deleted. ' +
          'Or: another migration of one of the versions is in progress.',
        'The version has no step first, where live enrollments are',
      ),
    },
  },
};

export const TEAM_CAMPAIGN_VERSIONS_OPENAPI = documented(
  CampaignVersionsController,
  { surface: 'team', tag: 'Campaigns' },
  byKey(OPERATIONS),
);

export const CAMPAIGN_VERSIONS_OPENAPI = documented(
  CampaignVersionsAdminController,
  { surface: 'operator', tag: 'Operator: campaigns' },
  OPERATIONS,
);
