import { LISTED } from './overview.sql.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';

/** Endpoints that were disabled because they failed, the latest first. $1 team or null for all teams. */
export const DISABLED_ENDPOINTS = `
  SELECT w.id, t.id AS team_id, t.name AS team, w.url, w.disabled_at, w.disabled_reason, w.failing_since
  FROM webhook_endpoints w JOIN teams t ON t.id = w.team_id
  WHERE w.disabled_at IS NOT NULL AND w.disabled_reason <> 'team' AND w.deleted_at IS NULL
    AND ($1::uuid IS NULL OR w.team_id = $1)
  ORDER BY w.disabled_at DESC
  LIMIT ${LISTED}`;

export interface DisabledEndpointRow {
  id: string;
  team_id: string;
  team: string;
  url: string;
  disabled_at: Date;
  disabled_reason: 'gone' | 'failing';
  failing_since: Date | null;
}

/**
 * Enabled endpoints of which every attempt has failed since an instant, those that fail for the longest time
 * first. $1 team or null for all teams.
 */
export const FAILING_ENDPOINTS = `
  SELECT w.id, t.id AS team_id, t.name AS team, w.url, w.failing_since
  FROM webhook_endpoints w JOIN teams t ON t.id = w.team_id
  WHERE w.failing_since IS NOT NULL AND w.disabled_at IS NULL AND w.deleted_at IS NULL
    AND ($1::uuid IS NULL OR w.team_id = $1)
  ORDER BY w.failing_since
  LIMIT ${LISTED}`;

export interface FailingEndpointRow {
  id: string;
  team_id: string;
  team: string;
  url: string;
  failing_since: Date;
}

const WHY: Record<DisabledEndpointRow['disabled_reason'], string> = {
  gone: 'it answered 410',
  failing: 'every attempt of five days failed',
};

interface Props<Row> {
  frame: Frame;
  endpoints: Row[];
}

/** Webhook endpoints that get no events any more; nothing if there are none. */
export function WebhookEndpointsSection({ frame: { zone }, endpoints }: Props<DisabledEndpointRow>) {
  if (endpoints.length === 0) return null;
  return (
    <section class="card" id="webhooks">
      <h2>Disabled webhook endpoints</h2>
      <p class="soft small">
        These get no events any more. An admin of the team enables them again on its page Webhooks, once they
        work.
      </p>
      <ul>
        {endpoints.map((endpoint) => (
          <li data-endpoint={endpoint.id}>
            {endpoint.team}, {new URL(endpoint.url).host}: disabled{' '}
            <Instant zone={zone} at={endpoint.disabled_at} />, because {WHY[endpoint.disabled_reason]}.
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Webhook endpoints that fail every attempt, and are not disabled yet; nothing if there are none. */
export function FailingEndpointsSection({ frame: { zone }, endpoints }: Props<FailingEndpointRow>) {
  if (endpoints.length === 0) return null;
  return (
    <section class="card" id="failing-webhooks">
      <h2>Failing webhook endpoints</h2>
      <p class="soft small">
        Every attempt has failed since then. Their events wait and are sent again. After five days of
        failures, an endpoint is disabled. Tell their teams.
      </p>
      <ul>
        {endpoints.map((endpoint) => (
          <li data-endpoint={endpoint.id}>
            {endpoint.team}, {new URL(endpoint.url).host}: failing since{' '}
            <Instant zone={zone} at={endpoint.failing_since} />.
          </li>
        ))}
      </ul>
    </section>
  );
}
