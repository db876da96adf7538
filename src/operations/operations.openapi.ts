import {
  COUNT_SCHEMA,
  described,
  FLAG_SCHEMA,
  nullable,
  objectOf,
  TEXT_SCHEMA,
} from '../http/json-schema.js';
import { errorDoc } from '../http/openapi/errors.js';
import { documented } from '../http/openapi/operation.js';
import { HealthController } from './health.controller.js';
import { type CheckName, type Readiness } from './health.service.js';
import { MetricsController } from './metrics.controller.js';
import { type UnknownZones } from '../platform/unknown-zones.js';

const CHECKS = objectOf<Record<CheckName, string>>('ReadinessChecks', {
  process: TEXT_SCHEMA,
  database: TEXT_SCHEMA,
  migrations: TEXT_SCHEMA,
  redis: TEXT_SCHEMA,
  redisEvictionPolicy: TEXT_SCHEMA,
});

const UNKNOWN_ZONES = objectOf<UnknownZones>('UnknownZones', {
  agents: COUNT_SCHEMA,
  contacts: described(COUNT_SCHEMA, 'Contacts with such a zone whose call or enrollment waits.'),
  calls: described(COUNT_SCHEMA, 'Due calls that wait. Counted up to 10,000, as enrollments are.'),
  enrollments: COUNT_SCHEMA,
});

const READINESS = objectOf<Readiness>('Readiness', {
  ready: FLAG_SCHEMA,
  checks: described(
    CHECKS,
    'Each check is `ok`, `unknown` with or without a reason, or a short description of the fault. `unknown` counts as passed.',
  ),
  zoneData: objectOf<Readiness['zoneData']>('ZoneDataState', {
    version: described(
      TEXT_SCHEMA,
      'The version of IANA’s data by which the process decides, such as `2026f`.',
    ),
    inForce: described(
      nullable(TEXT_SCHEMA),
      'The newest version that a process has had. Null if it is not known.',
    ),
    fault: described(nullable(TEXT_SCHEMA), 'Why the process dials nothing. Null if it dials.'),
    unknown: described(
      nullable(UNKNOWN_ZONES),
      'How much has, or waits because of, a time zone that is not known. Null if it could not be counted.',
    ),
  }),
});

export const HEALTH_OPENAPI = documented(
  HealthController,
  { surface: 'public', tag: 'Health' },
  {
    live: {
      id: 'isLive',
      summary: 'Check that the process answers',
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
      summary: 'Check that the process can do its work',
      query: {
        without: {
          description:
            '`redis`: the checks of Redis do not affect the status, but are still shown. Load balancers use it.',
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
      summary: 'Read the metrics for Prometheus',
      status: 200,
      success: {
        description: 'The metrics in the text format of Prometheus.',
        schema: TEXT_SCHEMA,
        contentType: 'text/plain',
      },
      refusals: { 401: errorDoc('The metrics token is missing or wrong.', 'Invalid metrics token') },
    },
  },
);
