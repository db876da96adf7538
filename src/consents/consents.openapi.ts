import { CONSENT_LEVELS, PURPOSES, VOICES } from '../domain/compliance/pack.js';
import { describeBody, NATIONAL_FORM } from '../http/body-schema.js';
import {
  described,
  INSTANT_SCHEMA,
  nullable,
  objectOf,
  oneOf,
  STORED_NUMBER_SCHEMA,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { errorDoc } from '../http/openapi/errors.js';
import { documented, type OperationDoc, pageOfItems } from '../http/openapi/operation.js';
import { KEY_IN_FLIGHT, KEY_REUSED } from '../idempotency/idempotency.js';
import { CONSENT_STATES, type ConsentResource, RecordConsent, RevokeConsent } from './consent.dto.js';
import { ConsentsAdminController } from './consents-admin.controller.js';
import { ConsentsController } from './consents.controller.js';

const PURPOSE = 'The purpose of the calls to which the person consents. Null: every purpose.';
const VOICE = 'The voice to which the person consents. Null: every voice.';
const LEVEL =
  'What the person gave: `express` consent, or `expressWritten` consent, which is the stronger one.';

describeBody([RecordConsent], {
  phoneNumber: {
    description: `The number, preferably in E.164. ${NATIONAL_FORM} Numbers of any type are accepted.`,
    examples: ['+14155552671'],
  },
  level: { description: LEVEL, examples: ['expressWritten'] },
  purpose: { description: PURPOSE, examples: ['marketing'] },
  voice: { description: VOICE, examples: ['ai'] },
  source: { description: 'How the consent was given.', examples: ['Web form “Call me back”'] },
  evidence: {
    description: 'Where the proof is, such as the address of a stored form or recording.',
    examples: ['https://forms.example.com/7f3a'],
  },
  grantedAt: {
    description: 'When the consent was given. It must not be in the future.',
    examples: ['2026-11-20T14:00:00Z'],
  },
  expiresAt: {
    description: 'When the consent ends by itself. It must be later than `grantedAt`. Null: never.',
    examples: ['2027-11-20T14:00:00Z'],
  },
});
describeBody([RevokeConsent], {
  reason: { description: 'Why the consent is revoked.', examples: ['asked us by e-mail'] },
  at: {
    description:
      'When the consent was revoked: not before `grantedAt`, and not in the future. Null or absent: now.',
    examples: ['2026-11-21T09:00:00Z'],
  },
});

const CONSENT = objectOf<ConsentResource>('ConsentResource', {
  id: UUID_SCHEMA,
  phoneNumber: described(
    STORED_NUMBER_SCHEMA,
    'The number. After the erasure of its contact, `erased:` and a hash.',
  ),
  level: described(oneOf(CONSENT_LEVELS), LEVEL),
  purpose: described(nullable(oneOf(PURPOSES)), PURPOSE),
  voice: described(nullable(oneOf(VOICES)), VOICE),
  source: described(nullable(TEXT_SCHEMA), 'How the consent was given. Null after an erasure.'),
  evidence: described(
    nullable(TEXT_SCHEMA),
    'Where the proof is. Null if it was not sent, and after an erasure.',
  ),
  grantedAt: INSTANT_SCHEMA,
  expiresAt: described(nullable(INSTANT_SCHEMA), 'When the consent ends by itself. Null: never.'),
  status: described(
    oneOf(CONSENT_STATES),
    '`in_force`, or what has ended the consent first. `opted_out`: the number was added to the Do Not Call list after the consent was ' +
      'given; the consent stays ended if the number is removed from the list.',
  ),
  endedAt: described(nullable(INSTANT_SCHEMA), 'When the consent ended. Null while it is in force.'),
  endReason: described(nullable(TEXT_SCHEMA), 'The reason of a revocation, if one was sent.'),
  createdAt: described(INSTANT_SCHEMA, 'When the consent was recorded.'),
});

const LIST = {
  summary: 'List the consents of a team’s numbers, the latest recorded first',
  description: 'Consents that have ended are listed as well.',
  success: { description: 'A page of consents.', schema: pageOfItems(CONSENT, 'ConsentPage') },
} satisfies Omit<OperationDoc, 'id'>;

const RECORD = {
  summary: 'Record a consent',
  description:
    'A consent is never changed. One that was given before the latest opt-out of its number is recorded, and is `opted_out`.',
  success: { description: 'The consent is recorded.', schema: CONSENT },
} satisfies Omit<OperationDoc, 'id'>;

const REVOKE = {
  summary: 'Revoke a consent',
  description:
    'The end is a record of its own. A consent that is revoked already stays as it is. To end every consent of a number, add the number ' +
    'to the Do Not Call list.',
  success: { description: 'The consent, which is revoked.', schema: CONSENT },
} satisfies Omit<OperationDoc, 'id'>;

export const TEAM_CONSENTS_OPENAPI = documented(
  ConsentsController,
  { surface: 'team', tag: 'Consents' },
  {
    list: { id: 'listConsentsByKey', ...LIST, summary: LIST.summary.replace('a team’s', 'the team’s') },
    record: {
      id: 'recordConsentByKey',
      ...RECORD,
      idempotent: true,
      status: 201,
      refusals: {
        409: errorDoc('The first request with this `Idempotency-Key` is still in progress.', KEY_IN_FLIGHT),
        422: errorDoc('The `Idempotency-Key` was used with another request.', KEY_REUSED),
      },
    },
    revoke: { id: 'revokeConsentByKey', ...REVOKE },
  },
);

export const CONSENTS_OPENAPI = documented(
  ConsentsAdminController,
  { surface: 'operator', tag: 'Operator: number lists' },
  {
    list: { id: 'listConsents', ...LIST },
    record: { id: 'recordConsent', ...RECORD },
    revoke: { id: 'revokeConsent', ...REVOKE },
  },
);
