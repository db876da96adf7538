import { type ServerResponse } from 'node:http';
import { type CarrierEvent } from '../../src/carriers/carrier.js';
import { type DialAnswer } from '../../src/carriers/simulator/engine.js';
import { type AnsweredBy, type TwilioStatus } from '../../src/carriers/twilio/twilio-status.js';
import { type FakeCall, FakeTwilio, json, refuse, rfc2822 } from './fake-twilio.js';
import { type Play, PlayedCalls } from './played-calls.js';

/**
 * Twilio shows what it has asked of a call's callbacks a quarter of an hour after the call; here all is
 * quicker.
 */
const EVENTS_SHOWN_AFTER_MS = 2_000;
const UNREACHABLE = 13224;

const ENDS: Record<CarrierEvent['status'], { status: TwilioStatus; answeredBy?: AnsweredBy }> = {
  in_progress: { status: 'in-progress' },
  completed: { status: 'completed', answeredBy: 'human' },
  voicemail: { status: 'completed', answeredBy: 'machine_end_beep' },
  busy: { status: 'busy' },
  no_answer: { status: 'no-answer' },
  failed: { status: 'failed' },
};

/** Twilio in front of the simulator's engine. */
export const playTwilio: Play = async (engine, port, publicUrl) => {
  const twilio = await FakeTwilio.start(port);
  const calls = new Map<string, FakeCall>();
  const played = new PlayedCalls<FakeCall>(engine, (call, event) => {
    if (!twilio.calls.includes(call)) twilio.calls.push(call);
    Object.assign(call, shownOf(event));
  });
  twilio.onDial = ({ form }, response, call) => {
    // Not in the list before the engine has it there.
    twilio.calls.pop();
    const callRequestId = /\/status\/([0-9a-f-]{36})/.exec(form.get('StatusCallback') ?? '')?.[1];
    if (callRequestId === undefined) return refuse(response, 400, 21218);
    calls.set(callRequestId, call);
    played.add(callRequestId, call);
    void engine.dial({ callRequestId, to: call.to, from: call.from }).then((answer) => {
      if (answer.kind === 'refused' || answer.kind === 'throttled') played.remove(callRequestId);
      answerDial(answer, response, call);
    });
  };
  return {
    async report(event) {
      const call = calls.get(event.callRequestId);
      if (call === undefined) throw new Error('no such call');
      if (event.status !== 'in_progress') showEvents(twilio, call, `${publicUrl}${pathOf(event)}`);
      const response = await twilio.report(call, fieldsOf(event), publicUrl);
      await response.body?.cancel();
      if (!response.ok) throw new Error(`callback answered ${response.status}`);
    },
    async close() {
      played.close();
      await twilio.close();
    },
  };
};

function pathOf({ callRequestId }: CarrierEvent): string {
  return `/api/carriers/twilio/status/${callRequestId}`;
}

/** A request counts with any answer. */
function showEvents(twilio: FakeTwilio, { sid }: FakeCall, url: string): void {
  setTimeout(() => twilio.events.set(sid, [url]), EVENTS_SHOWN_AFTER_MS).unref();
}

function answerDial(answer: DialAnswer, response: ServerResponse, call: FakeCall): void {
  switch (answer.kind) {
    case 'accepted':
      return json(response, 201, call);
    case 'refused':
      return refuse(response, 400, UNREACHABLE);
    case 'throttled':
      return refuse(response, 429, 20429, { 'retry-after': String(Math.ceil(answer.retryAfterMs / 1_000)) });
    case 'error':
      return refuse(response, 500, 20500);
    case 'reset':
    case 'closed':
      response.socket?.resetAndDestroy();
  }
}

/** What the call's own resource says. */
function shownOf({ status: end, at, durationSeconds }: CarrierEvent): Partial<FakeCall> {
  const { status, answeredBy = null } = ENDS[end];
  const ended = end !== 'in_progress';
  return {
    status,
    answered_by: answeredBy,
    date_updated: rfc2822(at),
    end_time: ended ? rfc2822(at) : null,
    duration: ended ? String(durationSeconds ?? 0) : null,
  };
}

/** What a status callback says. */
function fieldsOf({ status: end, at, durationSeconds }: CarrierEvent): Record<string, string> {
  const { status, answeredBy } = ENDS[end];
  return {
    CallStatus: status,
    Timestamp: rfc2822(at),
    ...(answeredBy && { AnsweredBy: answeredBy }),
    ...(status === 'completed' && { CallDuration: String(durationSeconds ?? 0) }),
    ...(end === 'failed' && { SipResponseCode: '503' }),
  };
}
