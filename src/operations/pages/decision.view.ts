import { type CallListItem, type CallOfNumber } from '../../calls/records/calls-admin.service.js';
import { tellCall } from '../../domain/narrator/call.js';
import { NOT_JUDGED, tellDecisions, tellHistory, type ToldRule } from '../../domain/narrator/record.js';
import { html, type Html, type Shown } from './html.js';
import { timeIn } from './local-time.js';
import { type Frame } from './page-frame.service.js';

/** Why the call was dialed, was not dialed, or still waits; the frame is of its team. */
export function answerOf({ now, zone, paused, team }: Frame, call: CallListItem): string {
  const { answer, more } = tellCall(call, {
    now,
    timeOf: (at) => timeIn(zone, at),
    paused: { platform: paused, team: team?.paused ?? false },
  });
  return [answer, ...more].join(' ');
}

/** Every decision about a call with the evidence of each rule, oldest first. */
export function decisionsView(call: CallOfNumber, zone: string): Shown {
  const decisions = tellDecisions(call, (instant) => timeIn(zone, instant));
  if (decisions.length === 0) return html`<p class="soft">${NOT_JUDGED}</p>`;
  return decisions.map(
    ({ at, title, rules }) =>
      html`<div class="decision">
        <h3>${title} <span class="soft small">${timeIn(zone, at)}</span></h3>
        <ul class="rules">
          ${rules.map(ruleView)}
        </ul>
      </div>`,
  );
}

function ruleView({ reason, title, allow, text, olderCallId }: ToldRule): Html {
  return html`<li class="${!allow && 'refused'}" data-rule="${reason}">
    <b>${title}.</b> ${text}
    ${olderCallId !== null && html`<a href="/admin/calls/${olderCallId}">That call</a>`}
  </li>`;
}

/** What happened to a call, oldest first. */
export function historyView(call: CallOfNumber, zone: string): Html {
  const lines = tellHistory(call.history).map(
    ({ at, to, cause }) =>
      html`<li>
        <span class="soft nowrap">${timeIn(zone, at)}:${at.slice(17, 19)}</span>
        <span>${cause} → <b>${to}</b></span>
      </li>`,
  );
  return html`<ol class="history">
    ${lines}
  </ol>`;
}
