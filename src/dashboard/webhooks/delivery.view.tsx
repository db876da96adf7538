import { type WebhookDeliveryView } from '../../events/webhooks/webhook-deliveries.service.js';
import { type WebhookEndpointView } from '../../events/webhooks/webhook-endpoint.dto.js';
import { Instant } from '../design/instant.view.js';
import { count } from '../design/local-time.js';
import { Badge, PostForm, Question } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';
import { DELIVERY_WORDS, errorText, statusHint } from './webhook-words.js';

interface DeliveryProps {
  endpoint: WebhookEndpointView;
  delivery: WebhookDeliveryView;
  /** The event as it is sent, as text; null: it is not kept any more, or a test. */
  body: string | null;
}

/** One delivery: the request of its event, the answer, and what can be done. */
export function deliveryPage(frame: Frame, { endpoint, delivery, body }: DeliveryProps) {
  const { status, type, sequence, attempts, nextAttemptAt, createdAt } = delivery;
  const ofEndpoint = `${frame.base}/webhooks/${endpoint.id}`;
  const self = `${ofEndpoint}/deliveries/${delivery.id}`;
  const { label, mood } = DELIVERY_WORDS[status];
  return (
    <Layout frame={frame} section="webhooks" title="Delivery">
      <h1>{type}</h1>
      <p class="soft small">
        to <a href={ofEndpoint}>{endpoint.url}</a> · {delivery.id}
      </p>
      <section class="card" id="state">
        <h2>
          <Badge mood={mood}>{label}</Badge>
        </h2>
        <dl class="facts">
          <dt>Event</dt>
          <dd>
            {sequence > 0 ? `number ${sequence}` : 'a test'}, <code>{delivery.eventId}</code>
          </dd>
          <dt>Written</dt>
          <dd>
            <Instant zone={frame.zone} at={createdAt} seconds />
          </dd>
          <dt>Attempts</dt>
          <dd>{count(attempts)}</dd>
          {nextAttemptAt !== null && (
            <>
              <dt>Next attempt</dt>
              <dd>
                {endpoint.disabled ? (
                  'when the endpoint is enabled'
                ) : (
                  <Instant zone={frame.zone} at={nextAttemptAt} seconds />
                )}
              </dd>
            </>
          )}
        </dl>
        <p class="small">
          <a href={self}>Renew this page</a>
        </p>
        {endpoint.disabled ? (
          <p class="soft">The endpoint is disabled, so nothing is sent to it.</p>
        ) : (
          <Again frame={frame} self={self} status={status} />
        )}
      </section>
      <AttemptSection frame={frame} delivery={delivery} />
      <section class="card" id="request">
        <h2>Request</h2>
        <p class="soft small">
          POST {endpoint.url}, with the headers <code>webhook-id</code> (the event’s id),{' '}
          <code>webhook-timestamp</code> and <code>webhook-signature</code>.
        </p>
        {body === null ? (
          <p>
            {sequence > 0
              ? 'The event is not kept any more.'
              : 'A test event: the endpoint itself is its data.'}
          </p>
        ) : (
          <pre>{body}</pre>
        )}
      </section>
    </Layout>
  );
}

function Again({
  frame,
  self,
  status,
}: {
  frame: Frame;
  self: string;
  status: WebhookDeliveryView['status'];
}) {
  if (status === 'delivered') {
    return (
      <Question frame={frame} action={`${self}/retry`} what="Send it once more" answer="Send it once more">
        The endpoint has taken this event, and gets it a second time.
      </Question>
    );
  }
  return (
    <PostForm frame={frame} action={`${self}/retry`} back={self}>
      <button class="main">Send it now</button>
    </PostForm>
  );
}

function AttemptSection({ frame, delivery }: { frame: Frame; delivery: WebhookDeliveryView }) {
  const { lastAttemptAt, responseCode, answer, error, durationMs, attempts } = delivery;
  const hint = responseCode === null ? null : statusHint(responseCode);
  return (
    <section class="card" id="answer">
      <h2>{attempts > 1 ? 'The last answer' : 'Answer'}</h2>
      {lastAttemptAt === null ? (
        <p class="soft">No attempt was made yet.</p>
      ) : (
        <>
          <dl class="facts">
            <dt>Sent</dt>
            <dd>
              <Instant zone={frame.zone} at={lastAttemptAt} seconds />
            </dd>
            {responseCode !== null && (
              <>
                <dt>Status</dt>
                <dd>
                  {responseCode}
                  {hint !== null && <span class="fault"> {hint}</span>}
                </dd>
              </>
            )}
            {error !== null && (
              <>
                <dt>Fault</dt>
                <dd class="fault">{errorText(error)}</dd>
              </>
            )}
            {durationMs !== null && (
              <>
                <dt>Took</dt>
                <dd>{count(durationMs)} ms</dd>
              </>
            )}
          </dl>
          {answer !== null && answer !== '' && (
            <>
              <p class="soft small">The first kilobyte of its body:</p>
              <pre>{answer}</pre>
            </>
          )}
        </>
      )}
    </section>
  );
}
