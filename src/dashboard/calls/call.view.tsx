import { type ComponentChildren } from 'preact';
import { type CallResource } from '../../calls/records/calls-admin.service.js';
import { isFinal, isPending } from '../../domain/call-states.js';
import { isErasedNumber } from '../../domain/erased-number.js';
import { moodOf } from '../../domain/narrator/call.js';
import { duration } from '../../domain/narrator/duration.js';
import { stateLabel } from '../../domain/narrator/labels.js';
import { transitionsOf } from '../../domain/narrator/record.js';
import { CALLS_QUEUE, dialJobId } from '../../queue/call-jobs.js';
import { address } from '../design/address.js';
import { type EventOfCall } from './call-events.sql.js';
import { CallEvents } from './call-events.view.js';
import { Badge, NumberLink, Question } from '../frame/controls.js';
import { Answer, Decisions, History } from './decision.view.js';
import { Layout } from '../frame/layout.js';
import { Instant } from '../design/instant.view.js';
import { numberText, PhoneNumber } from '../design/phone-number.view.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { Result } from './result.view.js';
import { ResultForm, type ResultFormState, UNTYPED_RESULT } from './result-form.view.js';
import { ResolveForm } from './resolve-form.view.js';
import { type Frame, may } from '../frame/page-frame.service.js';

/** The parts of a call's record besides the call. */
export interface CallContext {
  team_id: string;
  team: string;
  agent: string;
  contact: string | null;
  generation: number;
  /** The zone of the called person. */
  zone: string;
  events: readonly EventOfCall[];
}

/** One call's record. */
export function callPage(
  frame: Frame,
  call: CallResource,
  context: CallContext,
  report: ResultFormState = UNTYPED_RESULT,
) {
  const { zone } = frame;
  const mayChange = may(frame, 'calls.change');
  // A call that was never claimed takes no result.
  const isWithoutResult = call.result === null && call.claimedAt !== null && isFinal(call.status);
  return (
    <Layout frame={frame} section={null} title={`Call to ${numberText(call.phoneNumber)}`}>
      <h1>
        Call to <NumberLink teamId={call.teamId} phoneNumber={call.phoneNumber} />{' '}
        <Badge mood={moodOf(call.status)}>{stateLabel(call.status)}</Badge>
      </h1>
      <p class="soft small">
        {call.id} · {context.team} · times in {zone}
      </p>
      <ErrorSummary
        title={`The result is not stored.${report.typed.optOut ? ' The opt-out is carried out.' : ''}`}
        errors={report.errors}
      />
      <section class="card">
        <h2>Why was this person called, or not?</h2>
        <Answer frame={frame} call={call} />
        {call.status === 'dial_unknown' && (
          <ResolveForm frame={frame} teamId={call.teamId} callRequestId={call.id} />
        )}
        {mayChange && isPending(call.status) && (
          <Question
            frame={frame}
            action={`${frame.base}/calls/${call.id}/cancel`}
            what="Cancel this call"
            answer="Yes, cancel it"
          >
            The call will not be dialed, and counts against no limit. This cannot be undone.
          </Question>
        )}
        {mayChange && call.status === 'in_progress' && (
          <Question
            frame={frame}
            action={`${frame.base}/calls/${call.id}/hang-up`}
            what="Hang up"
            answer="Yes, hang up"
          >
            The carrier ends the call, also in the middle of a conversation. A campaign does not call again
            because of it.
          </Question>
        )}
        {mayChange && isWithoutResult && <ResultForm frame={frame} callRequestId={call.id} {...report} />}
        <Decisions frame={frame} call={call} />
        {mayChange && isFinal(call.status) && !isErasedNumber(call.phoneNumber) && (
          <p>
            <a
              class="button"
              href={address(`${frame.base}/contacts/${call.contactId}`, { agent: call.agentId })}
            >
              Call again…
            </a>
          </p>
        )}
      </section>
      {call.result !== null && <Result frame={frame} result={call.result} />}
      <div class="cards">
        <section class="card">
          <h2>What happened</h2>
          <History frame={frame} call={call} theirs={context.zone} />
        </section>
        <section class="card">
          <h2>The call</h2>
          <Facts frame={frame} call={call} context={context} />
        </section>
      </div>
      <Prompt call={call} />
      <CallEvents frame={frame} events={context.events} />
    </Layout>
  );
}

interface FactsProps {
  frame: Frame;
  call: CallResource;
  context: CallContext;
}

function Facts({ frame, call, context: { agent, contact, generation, zone: theirs } }: FactsProps) {
  const { zone, base } = frame;
  const time = (at: string | null) =>
    at === null ? null : <Instant zone={zone} at={at} seconds theirs={theirs} />;
  const isErased = isErasedNumber(call.phoneNumber);
  const person = <a href={`${base}/contacts/${call.contactId}`}>{contact ?? 'Without a name'}</a>;
  const lines: [string, ComponentChildren][] = [
    ['Contact', isErased ? contact : person],
    ['Agent', agent],
    ['Accepted', time(call.acceptedAt)],
    ['Not before', time(call.notBefore)],
    ['Not after', time(call.notAfter)],
    ['To run at', time(call.runsAt)],
    ['Expires', time(call.expiresAt)],
    ['Claimed', time(call.claimedAt)],
    ['Answered', time(call.answeredAt)],
    ['Ended', time(call.endedAt)],
    ['Talked', call.durationSeconds === null ? null : duration(call.durationSeconds * 1_000)],
    ['Their time zone', theirs],
    ['Called from', call.callerId && <PhoneNumber number={call.callerId} />],
    ['Carrier', call.carrier],
    ['Carrier’s id', call.carrierCallId],
    ['Reason', call.reason],
    ['Wake-up', may(frame, 'platform.read') ? wakeUp(call, generation) : null],
  ];
  return (
    <dl class="facts">
      {lines
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

/**
 * Returns null for a call that never had a job. Such a call was refused at its trigger, or a campaign's
 * transaction created and claimed it.
 */
function wakeUp(call: CallResource, generation: number) {
  if (call.enrollmentId !== null || transitionsOf(call.history)[0]?.to === 'blocked') return null;
  const job = dialJobId({ callRequestId: call.id, generation });
  return (
    <>
      <a href={`/admin/queues/queue/${CALLS_QUEUE}/${job}`}>Its job in the queue</a>{' '}
      <span class="soft small">(ended jobs are kept for a day)</span>
    </>
  );
}

/** The rendered prompts, which exist once the call was claimed. */
function Prompt({ call: { prompt, firstMessage, unknownPlaceholders } }: { call: CallResource }) {
  if (prompt === null && firstMessage === null) return null;
  return (
    <section class="card">
      <h2>What the agent was told</h2>
      {firstMessage && (
        <>
          <p class="soft small">First message</p>
          <pre>{firstMessage}</pre>
        </>
      )}
      {prompt && (
        <details>
          <summary>Prompt</summary>
          <pre>{prompt}</pre>
        </details>
      )}
      {!prompt && !firstMessage && <p class="soft">Nothing: the agent’s templates are empty.</p>}
      {unknownPlaceholders.length > 0 && (
        <p class="small">Placeholders without a value: {unknownPlaceholders.join(', ')}</p>
      )}
    </section>
  );
}
