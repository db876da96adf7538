import { MIN_CALL_DAYS, MIN_EVENT_DAYS } from '../domain/retention.js';
import { describeBody } from '../http/body-schema.js';
import {
  COUNT_SCHEMA,
  described,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  nullable,
  objectOf,
} from '../http/json-schema.js';
import { errorDoc } from '../http/openapi/errors.js';
import { documented } from '../http/openapi/operation.js';
import { daysSchema } from '../http/operator-validators.js';
import { type Restore } from '../restore/resume.service.js';
import { PlatformAdminController } from './platform-admin.controller.js';
import { type PlatformResource, UpdatePlatform } from './platform.dto.js';

const PAUSE = 'Whether dialing is stopped for all teams. Requests are still accepted.';

const PAUSED: JsonSchema = {
  title: 'PlatformPause',
  type: 'object',
  properties: { paused: described(FLAG_SCHEMA, PAUSE) },
  required: ['paused'],
};

const RETENTION = {
  callRetentionDays:
    'The number of days for which an ended call is stored, unless its team has its own value. A campaign with a longer cap extends ' +
    'the time. Null stores calls without end.',
  eventRetentionDays:
    'The number of days for which an event is stored, unless its team has its own value. Null stores events without end.',
};

describeBody([UpdatePlatform], RETENTION);

const PLATFORM = objectOf<PlatformResource>('PlatformResource', {
  paused: described(FLAG_SCHEMA, PAUSE),
  callRetentionDays: described(nullable(daysSchema(MIN_CALL_DAYS)), RETENTION.callRetentionDays),
  eventRetentionDays: described(nullable(daysSchema(MIN_EVENT_DAYS)), RETENTION.eventRetentionDays),
});

const RESTORE = objectOf<Restore>('Restore', {
  noticedAt: described(INSTANT_SCHEMA, 'When a process detected the restore.'),
  newestRowAt: described(
    nullable(INSTANT_SCHEMA),
    'When the newest row of the backup was written. Null if the backup has no rows.',
  ),
  resumeFrom: described(
    nullable(INSTANT_SCHEMA),
    'Resuming is refused before this instant, unless it is forced. A record of the journal can make it later. Null if `newestRowAt` is null.',
  ),
  callsToCheck: described(
    COUNT_SCHEMA,
    'The number of calls without a known end. They were active in the backup, or may have been dialed after it.',
  ),
});

const LAST_RESTORE: JsonSchema = {
  title: 'LastRestore',
  type: 'object',
  properties: { restore: nullable(RESTORE) },
  required: ['restore'],
};

export const PLATFORM_OPENAPI = documented(
  PlatformAdminController,
  { surface: 'operator', tag: 'Operator: teams' },
  {
    get: {
      id: 'getPlatform',
      summary: 'Read the settings of the deployment',
      success: { description: 'The settings.', schema: PLATFORM },
    },
    update: {
      id: 'updatePlatform',
      summary: 'Change the settings of the deployment; fields that are not sent stay unchanged',
      success: { description: 'The settings.', schema: PLATFORM },
    },
    pause: {
      id: 'pausePlatform',
      summary: 'Stop dialing for all teams; requests are still accepted',
      success: { description: 'The platform is paused.', schema: PAUSED },
    },
    resume: {
      id: 'resumePlatform',
      summary: 'Resume dialing for all teams',
      description:
        'After a restore of the database, the journal is replayed first. Resuming is then refused for 12 hours, so that no number is ' +
        'called twice within 12 hours. The 12 hours begin at the newest row of the backup or at the last record of the journal before ' +
        'the restore, whichever is later.',
      query: {
        force: {
          description: '`true` resumes before the end of the 12 hours. The default is `false`.',
          schema: FLAG_SCHEMA,
        },
      },
      success: { description: 'Dialing is resumed.', schema: PAUSED },
      refusals: {
        400: errorDoc('`force` is neither `true` nor `false`.', 'force must be true or false'),
        409: errorDoc(
          'The database was restored, and the 12 hours are not over. Also with `force` the answer is 409 if the journal ' +
            'cannot be replayed, or if other transactions have locked the rows of calls that may have been dialed.',
          'The database was restored. If calls resume before 2026-11-23T03:00:00.000Z, a number that was called after …',
        ),
      },
    },
    restore: {
      id: 'getRestore',
      summary: 'Read the last restore of the database',
      success: {
        description: 'The restore. Null if no restore was detected, or if dialing was resumed after it.',
        schema: LAST_RESTORE,
      },
    },
  },
);
