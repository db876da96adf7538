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
  TEXT_SCHEMA,
} from '../http/json-schema.js';
import { errorDoc } from '../http/openapi/errors.js';
import { documented } from '../http/openapi/operation.js';
import { daysSchema } from '../http/operator-validators.js';
import { HealthController } from './health.controller.js';
import { type Restore } from '../restore/resume.service.js';
import { type CheckName, type Readiness } from './health.service.js';
import { MetricsController } from './metrics.controller.js';
import { type PlatformResource, UpdatePlatform } from './platform.dto.js';
import { PlatformAdminController } from './platform-admin.controller.js';

const PAUSED: JsonSchema = {
  title: 'PlatformPause',
  type: 'object',
  properties: { paused: described(FLAG_SCHEMA, 'While set, no call is dialed for any team.') },
  required: ['paused'],
};

const RETENTION = {
  callRetentionDays:
    'Days for which an ended call is kept, unless its team has a value of its own; null is without end.',
  eventRetentionDays: 'The same for events.',
};

describeBody([UpdatePlatform], RETENTION);

const PLATFORM = objectOf<PlatformResource>('PlatformResource', {
  paused: described(FLAG_SCHEMA, 'While set, no call is dialed for any team.'),
  callRetentionDays: described(nullable(daysSchema(MIN_CALL_DAYS)), RETENTION.callRetentionDays),
  eventRetentionDays: described(nullable(daysSchema(MIN_EVENT_DAYS)), RETENTION.eventRetentionDays),
});

const RESTORE = objectOf<Restore>('Restore', {
  noticedAt: described(INSTANT_SCHEMA, 'When a process noticed it.'),
  newestRowAt: described(nullable(INSTANT_SCHEMA), 'The newest row of the backup.'),
  resumeFrom: described(nullable(INSTANT_SCHEMA), 'Before this, resuming is refused unless it is forced.'),
  callsToCheck: described(
    COUNT_SCHEMA,
    'Calls of unknown outcome that may have been dialed after the backup.',
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
      summary: 'Dial for all teams again',
      description:
        'After a restore of the database, the journal is replayed first. Resuming is then refused for 12 hours after the ' +
        'newest row of the backup, so that no number is called twice within 12 hours.',
      query: { force: { description: '`true`: resumes before that.', schema: FLAG_SCHEMA } },
      success: { description: 'The platform dials.', schema: PAUSED },
      refusals: {
        400: errorDoc('`force` is neither `true` nor `false`.', 'force must be true or false'),
        409: errorDoc(
          'After a restore of the database: it is too early, the journal cannot be replayed, or the rows of calls are locked.',
          'The database was restored. If calls resume before 2026-11-23T03:00:00.000Z, a number that was called after …',
        ),
      },
    },
    restore: {
      id: 'getRestore',
      summary: 'Read a restore of the database after which the platform was not resumed yet',
      success: { description: 'The restore, or null.', schema: LAST_RESTORE },
    },
  },
);

const CHECKS = objectOf<Record<CheckName, string>>('ReadinessChecks', {
  process: TEXT_SCHEMA,
  database: TEXT_SCHEMA,
  migrations: TEXT_SCHEMA,
  redis: TEXT_SCHEMA,
  redisEvictionPolicy: TEXT_SCHEMA,
});

const READINESS = objectOf<Readiness>('Readiness', {
  ready: FLAG_SCHEMA,
  checks: described(CHECKS, 'Each is `ok` or describes the fault in a few words.'),
});

export const HEALTH_OPENAPI = documented(
  HealthController,
  { surface: 'public', tag: 'Health' },
  {
    live: {
      id: 'isLive',
      summary: 'Whether the process answers',
      success: {
        description: 'The process answers.',
        schema: {
          title: 'Liveness',
          type: 'object',
          properties: { status: { type: 'string', const: 'ok' } },
          required: ['status'],
        },
      },
    },
    ready: {
      id: 'isReady',
      summary: 'Whether the process can do its work',
      query: {
        without: {
          description: '`redis` leaves out the checks of Redis, for load balancers.',
          schema: TEXT_SCHEMA,
        },
      },
      status: 200,
      success: { description: 'The process can do its work.', schema: READINESS },
      refusals: {
        503: {
          description: 'The process cannot do its work; `checks` describes the fault.',
          schema: READINESS,
        },
      },
    },
  },
);

export const METRICS_OPENAPI = documented(
  MetricsController,
  { surface: 'metrics', tag: 'Health' },
  {
    metrics: {
      id: 'getMetrics',
      summary: 'Metrics for Prometheus',
      status: 200,
      success: {
        description: 'In Prometheus’ text format.',
        schema: TEXT_SCHEMA,
        contentType: 'text/plain',
      },
      refusals: { 401: errorDoc('The metrics token is missing or wrong.', 'Invalid metrics token') },
    },
  },
);
