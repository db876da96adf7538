import { Instant } from '../design/instant.view.js';
import { Badge, type Mood } from '../frame/controls.js';
import { type Frame } from '../frame/page-frame.service.js';
import { type EventOfCall } from './call-events.sql.js';

type Delivery = EventOfCall['deliveries'][number];

const STATES: Record<Delivery['status'], { label: string; mood: Mood }> = {
  pending: { label: 'Pending', mood: 'warn' },
  delivered: { label: 'Delivered', mood: 'good' },
  failed: { label: 'Failed', mood: 'bad' },
};

interface EventsProps {
  frame: Frame;
  events: readonly EventOfCall[];
}

/** The events of a call and what became of their deliveries, oldest first; nothing without one. */
export function CallEvents({ frame: { zone }, events }: EventsProps) {
  if (events.length === 0) return null;
  return (
    <section class="card" id="events">
      <h2>Events and webhooks</h2>
      <table class="stack">
        <thead>
          <tr>
            <th>Event</th>
            <th>Written</th>
            <th>Deliveries</th>
          </tr>
        </thead>
        {events.map(({ id, type, at, deliveries }) => (
          <tr data-event={id}>
            <td>{type}</td>
            <td class="nowrap soft">
              <Instant zone={zone} at={at} seconds />
            </td>
            <td class="long">
              {deliveries.length === 0 && <span class="soft">No endpoint has it</span>}
              {deliveries.map((delivery) => (
                <div>
                  <Badge mood={STATES[delivery.status].mood}>{STATES[delivery.status].label}</Badge>{' '}
                  {hostOf(delivery.url)} <span class="soft small">{attemptText(delivery)}</span>
                </div>
              ))}
            </td>
          </tr>
        ))}
      </table>
    </section>
  );
}

function attemptText({ attempts, responseCode, error }: Delivery): string {
  const tries = attempts === 0 ? 'not sent yet' : attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const last = responseCode === null ? error : `answered ${responseCode}`;
  return last === null ? tries : `${tries}, ${last}`;
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
