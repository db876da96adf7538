import {
  described,
  INSTANT_SCHEMA,
  type JsonSchema,
  nullable,
  objectOf,
  oneOf,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { documented, pageOfItems } from '../http/openapi/operation.js';
import { AuditAdminController } from './audit-admin.controller.js';
import { type AuditRow } from './audit-list.service.js';

const FIELDS: JsonSchema = {
  type: ['object', 'null'],
  additionalProperties: true,
  description:
    'The fields that were changed. Of secret and personal fields it has only the names, with the value `withheld`.',
};

const ROW = objectOf<AuditRow>('AuditRow', {
  id: described(TEXT_SCHEMA, 'Ascending in time.'),
  at: INSTANT_SCHEMA,
  actorKind: described(
    oneOf(['user', 'key', 'token', 'cli', 'system']),
    'Who: a person, a team’s key, the operator token, the command line, or a process of its own accord.',
  ),
  actorId: described(nullable(UUID_SCHEMA), 'Of the person or the key.'),
  actorName: described(
    nullable(TEXT_SCHEMA),
    'The person’s e-mail, or the name of the key or of the account.',
  ),
  address: described(nullable(TEXT_SCHEMA), 'The IP address of the client.'),
  teamId: described(nullable(UUID_SCHEMA), 'Null: the platform.'),
  action: described(TEXT_SCHEMA, 'Such as `api_key.revoked`.'),
  targetType: described(TEXT_SCHEMA, 'The kind of row.'),
  targetId: described(nullable(TEXT_SCHEMA), 'Its id.'),
  before: FIELDS,
  after: FIELDS,
});

export const AUDIT_OPENAPI = documented(
  AuditAdminController,
  { surface: 'operator', tag: 'Operator: teams' },
  {
    list: {
      id: 'listAudit',
      summary: 'List the audit log',
      description:
        'Who changed what, the newest first. Calls, contacts and enrollments that a key sends are not in it: their events tell them.',
      success: {
        description: 'A page of rows. It may have fewer than asked for although there are more.',
        schema: pageOfItems(ROW, 'AuditRowPage'),
      },
    },
  },
);
