import { type CallOfNumber } from '../../calls/records/calls-admin.service.js';
import { explainRule, type StoredRule } from '../../domain/guardrails/explain.js';
import { type Decision } from '../../domain/guardrails/guardrails.js';
import { decisionsOf, historyOf } from './call-words.js';
import { html, type Html, type Shown } from './html.js';
import { timeIn } from './local-time.js';
import { causeWords, ruleTitle, stateWords } from './words.js';

/** Every decision about a call with the evidence of each rule, oldest first. */
export function decisionsView(call: CallOfNumber, zone: string): Shown {
  const decisions = decisionsOf(call);
  if (decisions.length === 0) {
    return html`<p class="soft">The rules were not asked: they are when the call is about to be dialed.</p>`;
  }
  return decisions.map((decision) => decisionView(call, decision, zone));
}

function decisionView(call: CallOfNumber, { at, allow, rules }: Decision, zone: string): Html {
  const when = at === call.acceptedAt ? 'When it was asked for' : 'When it was about to be dialed';
  return html`<div class="decision">
    <h3>${when}: ${allow ? 'allowed' : 'refused'} <span class="soft small">${timeIn(zone, at)}</span></h3>
    <ul class="rules">
      ${rules.map((rule) => ruleView(rule, zone))}
    </ul>
  </div>`;
}

function ruleView(rule: StoredRule, zone: string): Html {
  const { reason, allow, evidence } = rule;
  const olderCall = reason === 'ALREADY_SCHEDULED' && evidence.olderPendingCallId;
  return html`<li class="${!allow && 'refused'}" data-rule="${reason}">
    <b>${ruleTitle(reason)}.</b> ${explainRule(rule, (instant) => timeIn(zone, instant))}
    ${typeof olderCall === 'string' && html`<a href="/admin/calls/${olderCall}">That call</a>`}
  </li>`;
}

/** What happened to a call, oldest first. */
export function historyView(call: CallOfNumber, zone: string): Html {
  const lines = historyOf(call).map(
    ({ at, to, cause }) =>
      html`<li>
        <span class="soft nowrap">${timeIn(zone, at)}:${at.slice(17, 19)}</span>
        <span>${causeWords(cause)} → <b>${stateWords(to)}</b></span>
      </li>`,
  );
  return html`<ol class="history">
    ${lines}
  </ol>`;
}
