import { type CallListItem, type CallOfNumber } from '../../calls/records/calls-admin.service.js';
import { tellCall } from '../../domain/narrator/call.js';
import {
  NOT_EVALUATED,
  tellDecisions,
  tellHistory,
  type ToldLaw,
  type ToldRule,
} from '../../domain/narrator/record.js';
import { timeIn } from '../design/local-time.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';

/** Why the call was dialed, was not dialed, or still waits; `frame` is of the call's team. */
export function Answer({ frame: { now, zone, paused, team }, call }: { frame: Frame; call: CallListItem }) {
  const { answer, more } = tellCall(call, {
    now,
    timeOf: (at) => timeIn(zone, at),
    paused: { platform: paused, team: team?.paused ?? false },
  });
  return <p>{[answer, ...more].join(' ')}</p>;
}

interface RecordProps {
  frame: Frame;
  call: CallOfNumber;
}

/** Every decision about a call with the evidence of each rule, oldest first. */
export function Decisions({ frame: { base, zone }, call }: RecordProps) {
  const decisions = tellDecisions(call, (instant) => timeIn(zone, instant));
  if (decisions.length === 0) return <p class="soft">{NOT_EVALUATED}</p>;
  return (
    <>
      {decisions.map(({ at, title, rules, law }) => (
        <div class="decision">
          <h3>
            {title}{' '}
            <span class="soft small">
              <Instant zone={zone} at={at} />
            </span>
          </h3>
          <DecisionRules base={base} rules={rules} law={law} />
        </div>
      ))}
    </>
  );
}

interface DecisionRulesProps {
  /** Of the addresses of the call's team. */
  base: string;
  rules: readonly ToldRule[];
  law: ToldLaw | null;
}

/** The evidence of each rule of a decision. */
export function DecisionRules({ base, rules, law }: DecisionRulesProps) {
  return (
    <>
      <ul class="rules">{rules.map((rule) => ruleItem(rule, base))}</ul>
      {law !== null && <Law law={law} />}
    </>
  );
}

const MARKS: Partial<Record<ToldLaw['rules'][number]['outcome'], string>> = {
  refuse: 'refused',
  warn: 'warned',
};

/** What packs of rules of law said. */
function Law({ law: { text, rules } }: { law: ToldLaw }) {
  return (
    <details class="law">
      <summary>Rules of law</summary>
      <p class="soft small">{text}</p>
      <ul class="rules">
        {rules.map(({ id, outcome, verdict, text: evidence }) => (
          <li data-law={id} class={MARKS[outcome]}>
            <b>{id}</b> {verdict}. {evidence}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** @param base of the addresses of the call's team. */
function ruleItem({ reason, title, allow, text, olderCallId }: ToldRule, base: string) {
  return (
    <li class={allow ? undefined : 'refused'} data-rule={reason}>
      <b>{title}.</b> {text} {olderCallId !== null && <a href={`${base}/calls/${olderCallId}`}>That call</a>}
    </li>
  );
}

/** What happened to a call, oldest first. @param theirs the zone of the called person. */
export function History({ frame: { zone }, call, theirs }: RecordProps & { theirs?: string }) {
  return (
    <ol class="history">
      {tellHistory(call.history).map(({ at, to, cause }) => (
        <li>
          <span class="soft">
            <Instant zone={zone} at={at} seconds theirs={theirs} />
          </span>
          <span>
            {cause} → <b>{to}</b>
          </span>
        </li>
      ))}
    </ol>
  );
}
