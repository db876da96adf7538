import {
  type WebhookEndpointView,
  type WebhookEndpointWithSecret,
} from '../../events/webhooks/webhook-endpoint.dto.js';
import { EmptyState } from '../design/empty-state.view.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { Instant } from '../design/instant.view.js';
import { SecretCard } from '../design/secret.view.js';
import { Badge } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';
import { EndpointForm, type TypedEndpoint } from './endpoint-form.view.js';
import { endpointState, typesText } from './webhook-words.js';

interface WebhooksProps {
  /** A team has few, so they are on one page. */
  endpoints: readonly WebhookEndpointView[];
  typed: TypedEndpoint;
  errors: FieldErrors;
  created: WebhookEndpointWithSecret | null;
}

/** A team's webhook endpoints, and a form for a new one. */
export function webhooksPage(frame: Frame, { endpoints, typed, errors, created }: WebhooksProps) {
  return (
    <Layout frame={frame} section="webhooks" title="Webhooks">
      <h1>Webhooks</h1>
      <p class="soft">
        Addresses to which events of the team are sent as they happen, signed. An event that is not taken is
        sent again for three days. How to verify a signature is in <a href="/docs">the documentation</a>.
      </p>
      {created !== null && <SecretSection frame={frame} endpoint={created} />}
      <ErrorSummary title="The endpoint was not added." errors={errors} />
      <section class="card" id="endpoints">
        <h2>Endpoints</h2>
        {endpoints.length === 0 ? (
          <EmptyState>There is no endpoint yet. Add one below, then send it a test event.</EmptyState>
        ) : (
          <table class="stack">
            <thead>
              <tr>
                <th>URL</th>
                <th>Events</th>
                <th>State</th>
                <th>Added</th>
              </tr>
            </thead>
            {endpoints.map((endpoint) => (
              <EndpointRow frame={frame} endpoint={endpoint} />
            ))}
          </table>
        )}
      </section>
      <section class="card" id="add">
        <h2>Add an endpoint</h2>
        <EndpointForm
          frame={frame}
          action={`${frame.base}/webhooks`}
          answer="Add endpoint"
          typed={typed}
          errors={errors}
        />
      </section>
    </Layout>
  );
}

function EndpointRow({ frame, endpoint }: { frame: Frame; endpoint: WebhookEndpointView }) {
  const { id, url, description, createdAt } = endpoint;
  const { label, mood } = endpointState(endpoint);
  return (
    <tr data-endpoint={id}>
      <td class="long">
        <a href={`${frame.base}/webhooks/${id}`}>{url}</a>
        {description !== null && <div class="soft small">{description}</div>}
      </td>
      <td class="long small" data-name="Events">
        {typesText(endpoint)}
      </td>
      <td data-name="State">
        <Badge mood={mood}>{label}</Badge>
      </td>
      <td data-name="Added">
        <Instant zone={frame.zone} at={createdAt} />
      </td>
    </tr>
  );
}

interface SecretProps {
  frame: Frame;
  endpoint: WebhookEndpointWithSecret;
  isRotated?: boolean;
}

/** The secret of an endpoint, which only this page shows. */
export function SecretSection({ frame, endpoint: { id, url, secret }, isRotated = false }: SecretProps) {
  return (
    <SecretCard
      id="secret"
      title={`Secret of ${url}`}
      secret={secret}
      use={
        <p>
          <a href={`${frame.base}/webhooks/${id}`}>Go to the endpoint, and send it a test event</a>
        </p>
      }
    >
      The receiver verifies signatures with it. It is not shown again.
      {isRotated && ' For 24 hours, events are signed with the earlier secret as well.'}
    </SecretCard>
  );
}
