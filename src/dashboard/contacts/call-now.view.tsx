import { type ExplainResult } from '../../calls/explain/explain.service.js';
import { lowerFirst } from '../../domain/narrator/labels.js';
import { tellCallNow } from '../../domain/narrator/call-now.js';
import { tellDecisions } from '../../domain/narrator/record.js';
import { DecisionRules } from '../calls/decision.view.js';
import { timeIn } from '../design/local-time.js';
import { numberText } from '../design/phone-number.view.js';
import { PostForm } from '../frame/controls.js';
import { type Frame, may } from '../frame/page-frame.service.js';

type Explained = Extract<ExplainResult, { kind: 'explained' }>['explanation'];

/** Whether an agent may call the person now. */
export interface AskedCall {
  agents: readonly { id: string; name: string }[];
  /** The chosen one. */
  agent: { id: string; name: string } | null;
  /** The dry run; null: no agent is chosen. */
  result: ExplainResult | null;
}

interface CallNowProps {
  frame: Frame;
  contactId: string;
  asked: AskedCall;
}

/** Chooses an agent, and tells whether it may call the person now, or why not and from when on. */
export function CallNow({ frame, contactId, asked: { agents, agent, result } }: CallNowProps) {
  const page = `${frame.base}/contacts/${contactId}`;
  return (
    <section class="card" id="call-now">
      <h2>Call now?</h2>
      {agents.length === 0 ? (
        <p>
          The team has no agent that could call. <a href={`${frame.base}/getting-started`}>Add an agent</a>
        </p>
      ) : (
        <form class="bar" method="get" action={page}>
          <label>
            Agent
            <select name="agent">
              {agents.map(({ id, name }) => (
                <option value={id} selected={id === agent?.id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button>May it call?</button>
        </form>
      )}
      {agent !== null && result?.kind === 'explained' && (
        <Told frame={frame} page={page} agentId={agent.id} explained={result.explanation} />
      )}
      {result?.kind === 'refused' && (
        <p id="call-now-answer" data-reason={result.reason}>
          <b>Not now:</b> {lowerFirst(result.message)}. Waiting does not help.
        </p>
      )}
    </section>
  );
}

interface ToldProps {
  frame: Frame;
  page: string;
  agentId: string;
  explained: Explained;
}

function Told({ frame, page, agentId, explained }: ToldProps) {
  const { zone, paused, team, now } = frame;
  const { answer, may: allowed } = tellCallNow(explained, {
    timeOf: (at) => timeIn(zone, at),
    numberOf: numberText,
    paused: paused ? 'Everything is paused' : team?.paused ? 'The team is paused' : null,
  });
  return (
    <>
      <p id="call-now-answer" data-reason={explained.reason ?? undefined}>
        {answer}
      </p>
      {allowed !== 'no' && may(frame, 'calls.change') && (
        <PostForm frame={frame} action={`${page}/call`}>
          <input type="hidden" name="agent" value={agentId} />
          <button class="main">{allowed === 'now' ? 'Call now' : 'Call at that time'}</button>
        </PostForm>
      )}
      <Evidence frame={frame} at={now.toISOString()} explained={explained} />
    </>
  );
}

/** Every rule with the facts by which it was decided, and what the agent would say first. */
function Evidence({ frame, at, explained }: { frame: Frame; at: string; explained: Explained }) {
  const { rules, compliance, firstMessage, wouldBe } = explained;
  const decision = { at, allow: wouldBe !== 'refused', rules, ...(compliance && { compliance }) };
  const [told] = tellDecisions({ acceptedAt: at, decisions: [decision] }, (instant) =>
    timeIn(frame.zone, instant),
  );
  return (
    <details>
      <summary>Evidence of each rule</summary>
      {told && <DecisionRules base={frame.base} rules={told.rules} law={told.law} />}
      {firstMessage !== '' && (
        <>
          <p class="soft small">First message</p>
          <pre>{firstMessage}</pre>
        </>
      )}
    </details>
  );
}
