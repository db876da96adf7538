import { type Page } from '../../http/page.js';
import { type WebhookDeliveryView } from '../../events/webhooks/webhook-deliveries.service.js';
import {
  type WebhookEndpointView,
  type WebhookEndpointWithSecret,
} from '../../events/webhooks/webhook-endpoint.dto.js';
import { address } from '../design/address.js';
import { EmptyState } from '../design/empty-state.view.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { Instant } from '../design/instant.view.js';
import { count } from '../design/local-time.js';
import { Badge, Choice, PostForm, Question } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';
import { EndpointForm, type TypedEndpoint } from './endpoint-form.view.js';
import { ReplayForm, type TypedReplay } from './replay-form.view.js';
import { SecretSection } from './webhooks.view.js';
import { DELIVERY_WORDS, endpointState, errorText, typesText } from './webhook-words.js';

interface EndpointProps {
  endpoint: WebhookEndpointView;
  /** Null if the address is refused. */
  deliveries: Page<WebhookDeliveryView> | null;
  /** The filter of the deliveries. */
  status: string | null;
  typed: TypedEndpoint;
  errors: FieldErrors;
  rotated: WebhookEndpointWithSecret | null;
  replay: TypedReplay;
}

/** One endpoint: its state, its deliveries, and what can be changed. */
export function endpointPage(frame: Frame, props: EndpointProps) {
  const { endpoint, errors, rotated } = props;
  const self = `${frame.base}/webhooks/${endpoint.id}`;
  const { label, mood } = endpointState(endpoint);
  return (
    <Layout frame={frame} section="webhooks" title="Webhook endpoint">
      <h1>{endpoint.url}</h1>
      <p class="soft small">
        <a href={`${frame.base}/webhooks`}>All endpoints</a> · {endpoint.id}
      </p>
      {rotated !== null && <SecretSection frame={frame} endpoint={rotated} isRotated />}
      <ErrorSummary title="The endpoint was not changed." errors={errors} />
      <ErrorSummary title="No event is sent again." errors={props.replay.errors} />
      <section class="card" id="state">
        <h2>
          <Badge mood={mood}>{label}</Badge>
        </h2>
        <dl class="facts">
          <dt>Events</dt>
          <dd>{typesText(endpoint)}</dd>
          {endpoint.failingSince !== null && (
            <>
              <dt>Every attempt fails since</dt>
              <dd>
                <Instant zone={frame.zone} at={endpoint.failingSince} />. After five days of failures, it is
                disabled.
              </dd>
            </>
          )}
        </dl>
        <div class="choices">
          {endpoint.disabled ? (
            <PostForm frame={frame} action={`${self}/enable`} back={self}>
              <button class="main">Enable</button>
            </PostForm>
          ) : (
            <PostForm frame={frame} action={`${self}/test`} back={self}>
              <button class="main">Send a test event</button>
            </PostForm>
          )}
        </div>
      </section>
      <DeliveriesSection {...props} frame={frame} self={self} />
      <section class="card" id="change">
        <h2>Change</h2>
        <EndpointForm frame={frame} action={self} answer="Save" typed={props.typed} errors={errors} />
      </section>
      <section class="card" id="actions">
        {!endpoint.disabled && <ReplayForm frame={frame} self={self} {...props.replay} />}
        {!endpoint.disabled && (
          <Question frame={frame} action={`${self}/disable`} what="Disable the endpoint" answer="Disable it">
            It gets no events. Those that wait are sent when it is enabled; events of the meantime are not.
          </Question>
        )}
        <Question
          frame={frame}
          action={`${self}/rotate`}
          what="Replace the secret"
          answer="Make a new secret"
        >
          The new secret is shown once. For 24 hours, events are signed with both secrets.
        </Question>
        <details>
          <summary>Delete the endpoint…</summary>
          <p class="soft small">It gets no events any more, and its deliveries are removed.</p>
          <PostForm frame={frame} action={`${self}/delete`} back={`${frame.base}/webhooks`}>
            <button class="danger">Delete it</button>
          </PostForm>
        </details>
      </section>
    </Layout>
  );
}

function DeliveriesSection({
  frame,
  deliveries,
  status,
  self,
}: EndpointProps & { frame: Frame; self: string }) {
  return (
    <section class="card" id="deliveries">
      <h2>Deliveries</h2>
      <form class="bar" method="get" action={self}>
        <Choice
          label="State"
          name="status"
          chosen={status ?? undefined}
          options={Object.entries(DELIVERY_WORDS).map(([value, { label }]) => [value, label] as const)}
        />
        <button>Show</button>
      </form>
      {deliveries !== null && deliveries.items.length === 0 && (
        <EmptyState>
          {status === null
            ? 'Nothing was sent yet. A test event shows whether the endpoint answers.'
            : 'No delivery is in this state.'}
        </EmptyState>
      )}
      {deliveries !== null && deliveries.items.length > 0 && (
        <table class="stack">
          <thead>
            <tr>
              <th>Event</th>
              <th>Written</th>
              <th>State</th>
              <th>Last answer</th>
              <th class="number">Attempts</th>
            </tr>
          </thead>
          {deliveries.items.map((delivery) => (
            <tr data-delivery={delivery.id}>
              <td class="long">
                <a href={`${frame.base}/webhooks/${delivery.endpointId}/deliveries/${delivery.id}`}>
                  {delivery.type}
                </a>
                {delivery.sequence > 0 && <span class="soft small"> #{delivery.sequence}</span>}
              </td>
              <td data-name="Written">
                <Instant zone={frame.zone} at={delivery.createdAt} />
              </td>
              <td data-name="State">
                <Badge mood={DELIVERY_WORDS[delivery.status].mood}>
                  {DELIVERY_WORDS[delivery.status].label}
                </Badge>
              </td>
              <td class="long small" data-name="Last answer">
                {answerText(delivery)}
              </td>
              <td class="number" data-name="Attempts">
                {count(delivery.attempts)}
              </td>
            </tr>
          ))}
        </table>
      )}
      {deliveries?.nextCursor != null && (
        <p>
          <a
            href={address(self, {
              status,
              timezone: frame.request.parameter('timezone'),
              cursor: deliveries.nextCursor,
            })}
          >
            Earlier deliveries
          </a>
        </p>
      )}
    </section>
  );
}

function answerText({ responseCode, error, durationMs }: WebhookDeliveryView): string {
  if (responseCode !== null)
    return `${responseCode}${durationMs === null ? '' : ` in ${count(durationMs)} ms`}`;
  return error === null ? 'none yet' : errorText(error);
}
