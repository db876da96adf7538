import { bodySchemaOf, describeBody, EMPTY_IS_ABSENT, OWN_TEAM } from '../../http/body-schema.js';
import {
  described,
  type JsonSchema,
  objectOf,
  TEXT_SCHEMA,
  UUID_SCHEMA,
  WARNINGS_SCHEMA,
} from '../../http/json-schema.js';
import { ERROR_SCHEMA, errorDoc } from '../../http/openapi/errors.js';
import { byKey, documented, type OperationsOf, pageOfItems } from '../../http/openapi/operation.js';
import { KEY_IN_FLIGHT, KEY_REUSED } from '../../idempotency/idempotency.js';
import { EnrollFields } from '../enrollment/enroll-request.js';
import { type EnrollmentView } from '../enrollment/enroll.service.js';
import {
  DETAIL,
  ENTRY,
  EXTERNAL_ID,
  RESOURCE,
  SOURCE,
  STATE,
  transition,
  VERSION,
} from './enrollment.schema.js';
import { type CampaignEnrollmentRoutes } from './campaign-enrollment-routes.js';
import { CampaignEnrollmentsController } from './campaign-enrollments.controller.js';
import { EnrollmentsAdminController } from './enrollments-admin.controller.js';
import { EnrollmentsController } from './enrollments.controller.js';

describeBody([EnrollFields], {
  contactId: 'The id of an existing contact.',
  campaignId: 'The id of a campaign. The campaign must be active.',
  teamId: OWN_TEAM,
  source: { description: 'Free text that is stored with the enrollment.', examples: ['crm-import'] },
  version:
    'The version that the enrollment follows: `current` (the default), `draft`, or the id of a version of the campaign.',
});

const EXAMPLE = {
  contactId: '5e2f0f3c-3a52-4a43-8f6e-2f1d8f6b9c10',
  campaignId: 'c4a8b0a4-1f70-4a6c-9b35-77d9a3c5e201',
  enrollmentId: '9a1d4f6e-8c1b-4a57-a0de-3b6a5c0f7d42',
};

const LATER_ENTRY = described(
  ENTRY,
  'The number of this enrollment among the enrollments of the contact in the campaign. Absent for the first one.',
);

/** An enrollment in its events. */
export const ENROLLMENT_SCHEMA = objectOf<EnrollmentView>(
  'Enrollment',
  {
    enrollmentId: UUID_SCHEMA,
    status: STATE,
    contactId: UUID_SCHEMA,
    externalId: EXTERNAL_ID,
    campaignId: UUID_SCHEMA,
    versionId: VERSION,
    source: SOURCE,
    entry: LATER_ENTRY,
  },
  { optional: ['entry'] },
);

const ENROLLMENT_PAGE: JsonSchema = {
  title: 'EnrollmentPage',
  type: 'object',
  properties: {
    items: { type: 'array', items: RESOURCE },
    nextCursor: described(TEXT_SCHEMA, 'The `cursor` of the next page. Absent on the last page.'),
  },
  required: ['items'],
};

const ALREADY: JsonSchema = {
  title: 'AlreadyEnrolled',
  type: 'object',
  properties: {
    error: { type: 'string', const: 'Contact is already enrolled in this campaign' },
    enrollmentId: UUID_SCHEMA,
    status: STATE,
    entry: LATER_ENTRY,
  },
  required: ['error', 'enrollmentId', 'status'],
};

export const ENROLLMENTS_OPENAPI = documented(
  EnrollmentsController,
  { surface: 'team', tag: 'Campaigns' },
  {
    enroll: {
      id: 'enrollContact',
      summary: 'Enroll a contact in a campaign',
      description: EMPTY_IS_ABSENT,
      body: {
        ...bodySchemaOf(EnrollFields, { emptyIsAbsent: true }),
        additionalProperties: { description: 'Other keys are ignored.' },
      },
      bodyExamples: {
        current: { contactId: EXAMPLE.contactId, campaignId: EXAMPLE.campaignId },
        draft: {
          contactId: EXAMPLE.contactId,
          campaignId: EXAMPLE.campaignId,
          source: 'crm-import',
          version: 'draft',
        },
      },
      idempotent: true,
      status: 201,
      success: {
        description: 'The contact is enrolled.',
        schema: {
          title: 'ContactEnrolled',
          type: 'object',
          properties: {
            message: { type: 'string', const: 'Contact enrolled successfully' },
            enrollmentId: UUID_SCHEMA,
            warnings: WARNINGS_SCHEMA,
          },
          required: ['message', 'enrollmentId'],
        },
        examples: {
          enrolled: { message: 'Contact enrolled successfully', enrollmentId: EXAMPLE.enrollmentId },
        },
      },
      refusals: {
        403: errorDoc('`teamId` is not the team of the key.', 'teamId must be the team of the API key'),
        404: errorDoc(
          'The contact, the campaign or the version does not exist, or belongs to another team.',
          'Contact not found',
          'Campaign not found',
          'Campaign version not found',
        ),
        409: {
          description:
            'The contact is already enrolled in the campaign and cannot be enrolled again now. The status of the campaign and the ' +
            'requested version make no difference. Or: the first request with this `Idempotency-Key` is still in progress.',
          schema: { anyOf: [ALREADY, ERROR_SCHEMA] },
          examples: {
            enrolled: {
              error: 'Contact is already enrolled in this campaign',
              enrollmentId: EXAMPLE.enrollmentId,
              status: 'active',
            },
            inFlight: { error: KEY_IN_FLIGHT },
          },
        },
        422: errorDoc(
          'The campaign is not active, or the `Idempotency-Key` was used with another request.',
          'The campaign is not active',
          KEY_REUSED,
        ),
      },
    },
    list: {
      id: 'listEnrollments',
      summary: 'List the enrollments of a contact, of a campaign, or of a contact in a campaign',
      description:
        'At least one of `contactId` and `campaignId` is required; further filters narrow the list. The newest enrollment comes first. ' +
        'Creating or updating a contact with a `campaignId` does not guarantee the enrollment. This list shows whether it exists.',
      success: {
        description: 'A page of enrollments. The list is empty if there are none.',
        schema: ENROLLMENT_PAGE,
      },
    },
    get: {
      id: 'getEnrollmentByKey',
      summary: 'Read an enrollment',
      success: { description: 'The enrollment.', schema: DETAIL },
    },
    pause: { ...transition('pauseEnrollmentByKey', 'Pause an enrollment', 'paused'), status: 200 },
    resume: { ...transition('resumeEnrollmentByKey', 'Resume an enrollment', 'active'), status: 200 },
    exit: { ...transition('exitEnrollmentByKey', 'End an enrollment permanently', 'exited'), status: 200 },
  },
);

const OPERATIONS: OperationsOf<CampaignEnrollmentRoutes> = {
  list: {
    id: 'listCampaignEnrollments',
    summary: 'List the enrollments in a campaign',
    description: 'The newest enrollment comes first.',
    success: {
      description: 'A page of enrollments.',
      schema: pageOfItems(RESOURCE, 'EnrollmentResourcePage'),
    },
  },
  get: {
    id: 'getEnrollment',
    summary: 'Read an enrollment',
    success: { description: 'The enrollment.', schema: DETAIL },
  },
  pause: transition('pauseEnrollment', 'Pause an enrollment', 'paused'),
  resume: transition('resumeEnrollment', 'Resume an enrollment', 'active'),
  exit: transition('exitEnrollment', 'End an enrollment permanently', 'exited'),
};

export const CAMPAIGN_ENROLLMENTS_OPENAPI = documented(
  CampaignEnrollmentsController,
  { surface: 'team', tag: 'Campaigns' },
  byKey({
    list: OPERATIONS.list,
    // `getEnrollmentByKey` and its like are the routes without a campaign in their path.
    get: { ...OPERATIONS.get, id: 'getCampaignEnrollment' },
    pause: { ...OPERATIONS.pause, id: 'pauseCampaignEnrollment' },
    resume: { ...OPERATIONS.resume, id: 'resumeCampaignEnrollment' },
    exit: { ...OPERATIONS.exit, id: 'exitCampaignEnrollment' },
  }),
);

export const ENROLLMENTS_ADMIN_OPENAPI = documented(
  EnrollmentsAdminController,
  { surface: 'operator', tag: 'Operator: campaigns' },
  OPERATIONS,
);
