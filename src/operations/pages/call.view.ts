import { type CallResource } from '../../calls/records/calls-admin.service.js';
import { moodOf } from '../../domain/narrator/call.js';
import { duration } from '../../domain/narrator/duration.js';
import { stateLabel } from '../../domain/narrator/labels.js';
import { CALLS_QUEUE, dialJobId } from '../../queue/call-jobs.js';
import { answerOf, decisionsView, historyView } from './decision.view.js';
import { html, type Html, type Shown } from './html.js';
import { badge, layout } from './layout.js';
import { timeIn } from './local-time.js';
import { numberLink, resolveForm } from './open-calls.view.js';
import { type Frame } from './page-frame.service.js';

/** What a call's record shows beside the call itself. */
export interface CallContext {
  team_id: string;
  team: string;
  agent: string;
  contact: string | null;
  generation: number;
}

/** One call's record. */
export function callPage(frame: Frame, call: CallResource, context: CallContext): Html {
  const { zone } = frame;
  const body = html` <h1>
      Call to ${numberLink(call.teamId, call.phoneNumber)}
      ${badge(stateLabel(call.status), moodOf(call.status))}
    </h1>
    <p class="soft small">${call.id} · ${context.team} · times in ${zone}</p>
    <section class="card">
      <h2>Why was this person called, or not?</h2>
      <p>${answerOf(frame, call)}</p>
      ${call.status === 'dial_unknown' && resolveForm(frame, call.id)} ${decisionsView(call, zone)}
    </section>
    <div class="cards">
      <section class="card">
        <h2>What happened</h2>
        ${historyView(call, zone)}
      </section>
      <section class="card">
        <h2>The call</h2>
        ${facts(call, context, zone)}
      </section>
    </div>
    ${said(call)}`;
  return layout(frame, { section: null, title: `Call to ${call.phoneNumber}`, body });
}

function facts(call: CallResource, { agent, contact, generation }: CallContext, zone: string): Html {
  const time = (at: string | null) => (at === null ? null : timeIn(zone, at));
  const job = dialJobId({ callRequestId: call.id, generation });
  const lines: [string, Shown][] = [
    ['Contact', contact],
    ['Agent', agent],
    ['Accepted', time(call.acceptedAt)],
    ['To run at', time(call.runsAt)],
    ['Expires', time(call.expiresAt)],
    ['Claimed', time(call.claimedAt)],
    ['Answered', time(call.answeredAt)],
    ['Ended', time(call.endedAt)],
    ['Talked', call.durationSeconds === null ? null : duration(call.durationSeconds * 1_000)],
    ['Called from', call.callerId],
    ['Carrier', call.carrier],
    ['Carrier’s id', call.carrierCallId],
    ['Reason', call.reason],
    [
      'Wake-up',
      html`<a href="/admin/queues/queue/${CALLS_QUEUE}/${job}">Its job in the queue</a>
        <span class="soft small">(ended jobs are kept for a day)</span>`,
    ],
  ];
  const shown = lines.filter(([, value]) => value !== null);
  return html`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** What the agent was to say; there only once the call was claimed. */
function said(call: CallResource): Shown {
  if (call.prompt === null && call.firstMessage === null) return null;
  const unknown = call.unknownPlaceholders;
  return html`<section class="card">
    <h2>What the agent was told</h2>
    ${
      call.firstMessage &&
      html`<p class="soft small">First message</p>
        <pre>${call.firstMessage}</pre>`
    }
    ${
      call.prompt &&
      html`<details>
        <summary>Prompt</summary>
        <pre>${call.prompt}</pre>
      </details>`
    }
    ${!call.prompt && !call.firstMessage && html`<p class="soft">Nothing: the agent’s templates are empty.</p>`}
    ${unknown.length > 0 && html`<p class="small">Placeholders without a value: ${unknown.join(', ')}</p>`}
  </section>`;
}
