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
import { documented, pageOfItems } from '../../http/openapi/operation.js';
import { MAX_JSON_BYTES } from '../../http/validators.js';
import {
  type CampaignVersionResource,
  CreateCampaignVersion,
  type PublishedCampaignVersionResource,
  UpdateCampaignVersion,
} from './campaign-version.dto.js';
import { CampaignVersionsAdminController } from './campaign-versions-admin.controller.js';
import { DEFINITION_EXAMPLE } from './definition.schema.js';
import { PUBLICATION_WARNING_CODES, type PublicationWarning } from './publication-warnings.js';
import {
  MigrateCampaignVersion,
  type MigratedStep,
  type VersionMigrationPlan,
} from './version-migration.dto.js';

describeBody([CreateCampaignVersion, UpdateCampaignVersion], {
  definition: {
    description: `What the campaign does; replaced as a whole, at most ${MAX_JSON_BYTES} bytes of JSON.`,
    examples: [DEFINITION_EXAMPLE],
  },
});

const VERSION_PROPERTIES = {
  id: UUID_SCHEMA,
  campaignId: UUID_SCHEMA,
  number: described(ORDINAL_SCHEMA, 'Counted within the campaign.'),
  status: oneOf(['draft', 'published']),
  definition: ANY_OBJECT_SCHEMA,
  enrolled: described(COUNT_SCHEMA, 'Enrollments on this version, in any state.'),
  createdAt: INSTANT_SCHEMA,
  publishedAt: nullable(INSTANT_SCHEMA),
};

const VERSION = objectOf<CampaignVersionResource>('CampaignVersionResource', VERSION_PROPERTIES);

const PUBLISHED_VERSION = objectOf<PublishedCampaignVersionResource>('PublishedCampaignVersionResource', {
  ...VERSION_PROPERTIES,
  warnings: listOf(
    objectOf<PublicationWarning>('PublicationWarning', {
      code: oneOf(PUBLICATION_WARNING_CODES),
      path: described(
        TEXT_SCHEMA,
        'Within `definition`, such as `steps[0].retry.busy[1]`; empty for the whole definition.',
      ),
      message: TEXT_SCHEMA,
    }),
  ),
});

describeBody([MigrateCampaignVersion], { fromVersionId: 'The version whose live enrollments move.' });

const MIGRATION_PLAN = objectOf<VersionMigrationPlan>('VersionMigrationPlan', {
  fromVersionId: UUID_SCHEMA,
  toVersionId: UUID_SCHEMA,
  live: described(COUNT_SCHEMA, 'Live enrollments of the version that they leave.'),
  steps: described(
    listOf(
      objectOf<MigratedStep>('MigratedStep', {
        step: described(nullable(TEXT_SCHEMA), 'Null before the first step.'),
        live: COUNT_SCHEMA,
        exists: described(FLAG_SCHEMA, 'Whether this version has the step.'),
        changes: described(listOf(TEXT_SCHEMA), 'The keys of the step that differ.'),
      }),
    ),
    'The steps at which they are.',
  ),
  missingSteps: described(
    listOf(TEXT_SCHEMA),
    'Steps of these enrollments that this version does not have. If there are any, no enrollment can be migrated.',
  ),
  changes: described(listOf(TEXT_SCHEMA), 'Other keys of the definition that differ, such as `caps`.'),
});

export const CAMPAIGN_VERSIONS_OPENAPI = documented(
  CampaignVersionsAdminController,
  { surface: 'operator', tag: 'Operator: campaigns' },
  {
    list: {
      id: 'listCampaignVersions',
      summary: 'List a campaign’s versions, with the number enrolled on each',
      success: {
        description: 'A page of versions.',
        schema: pageOfItems(VERSION, 'CampaignVersionResourcePage'),
      },
    },
    create: {
      id: 'createCampaignVersion',
      summary: 'Begin the draft of a campaign',
      success: { description: 'The draft.', schema: VERSION },
      refusals: { 409: errorDoc('There is a draft.', 'The campaign already has a draft') },
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
          'The version is published, or the definition lacks the step of a live enrollment.',
          'Only a draft can be changed',
          'Live enrollments of the draft are at the step first, so it must stay',
        ),
      },
    },
    publish: {
      id: 'publishCampaignVersion',
      summary: 'Publish the draft: it becomes current',
      success: {
        description: 'The version, with warnings about its definition.',
        schema: PUBLISHED_VERSION,
      },
      refusals: { 409: errorDoc('The version is published.', 'Only a draft can be published') },
    },
    migrate: {
      id: 'migrateCampaignVersion',
      summary: 'Move the live enrollments of another version to this one',
      description:
        'The worker moves them in batches, and decides none of the campaign until all are moved. Their calls and attempts go on ' +
        'counting, and none is dialed earlier than it would have been.',
      query: {
        dryRun: { description: '`true`: only answer what would change, with 200.', schema: FLAG_SCHEMA },
      },
      status: 202,
      success: { description: 'What changes, from now on.', schema: MIGRATION_PLAN },
      refusals: {
        200: { description: 'What would change.', schema: MIGRATION_PLAN },
        409: errorDoc(
          'Live enrollments are at a step that the version has not, its agent was deleted, or another migration is under way.',
          'The version has no step first, where live enrollments are',
        ),
      },
    },
  },
);
