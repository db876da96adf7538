import { type ServerResponse } from 'node:http';
import { type CarrierEvent } from '../../src/carriers/carrier.js';
import { type DialAnswer } from '../../src/carriers/simulator/engine.js';
import {
  answerVapi,
  FakeVapi,
  type FakeVapiCall,
  refuseByVapi,
  VAPI_KEY,
  type VapiServer,
} from './fake-vapi.js';
import { CALLER_IDS, type Play, PlayedCalls } from './played-calls.js';

const ENDS: Record<CarrierEvent['status'], { status: string; endedReason?: string }> = {
  in_progress: { status: 'in-progress' },
  completed: { status: 'ended', endedReason: 'customer-ended-call' },
  voicemail: { status: 'ended', endedReason: 'voicemail' },
  busy: { status: 'ended', endedReason: 'customer-busy' },
  no_answer: { status: 'ended', endedReason: 'customer-did-not-answer' },
  failed: { status: 'ended', endedReason: 'twilio-failed-to-connect-call' },
};

/** Vapi in front of the simulator's engine. */
export const playVapi: Play = async (engine, port, publicUrl) => {
  const vapi = await FakeVapi.start(port);
  vapi.numbers = CALLER_IDS;
  const calls = new Map<string, { call: FakeVapiCall; server: VapiServer }>();
  const played = new PlayedCalls<FakeVapiCall>(engine, (call, event) => {
    const known = calls.get(event.callRequestId);
    if (known !== undefined) vapi.show(call, VAPI_KEY, known.server);
    Object.assign(call, shownOf(event));
  });
  vapi.onDial = ({ body }, response, call) => {
    // Not in the list before the engine has it there.
    vapi.hide(call);
    const { variableValues, server } = body.assistantOverrides as {
      variableValues: Record<string, string>;
      server: VapiServer;
    };
    const callRequestId = variableValues.call_request_id;
    if (callRequestId === undefined) return refuseByVapi(response, 400, 'No id of Outdial.');
    calls.set(callRequestId, { call, server });
    played.add(callRequestId, call);
    const from = String(body.phoneNumberId).replace(/^number-/, '+');
    void engine.dial({ callRequestId, to: call.customer.number, from }).then((answer) => {
      if (answer.kind === 'refused' || answer.kind === 'throttled') played.remove(callRequestId);
      answerDial(answer, response, call);
    });
  };
  return {
    async report(event) {
      const known = calls.get(event.callRequestId);
      if (known === undefined) throw new Error('no such call');
      vapi.show(known.call, VAPI_KEY, known.server);
      const now = { ...known.call, ...shownOf(event) };
      const message =
        event.status === 'in_progress'
          ? { type: 'status-update', status: now.status }
          : { type: 'end-of-call-report', endedReason: now.endedReason, analysis: {}, artifact: {} };
      const response = await vapi.report(now, message, publicUrl);
      await response.body?.cancel();
      if (!response.ok) throw new Error(`report answered ${response.status}`);
    },
    async close() {
      played.close();
      await vapi.close();
    },
  };
};

function answerDial(answer: DialAnswer, response: ServerResponse, call: FakeVapiCall): void {
  switch (answer.kind) {
    case 'accepted':
      return answerVapi(response, 201, call);
    case 'refused':
      return refuseByVapi(response, 400, 'customer.number is not a valid phone number');
    case 'throttled':
      return refuseByVapi(response, 429, 'Rate limit exceeded.', {
        'retry-after': String(Math.ceil(answer.retryAfterMs / 1_000)),
      });
    case 'error':
      return refuseByVapi(response, 500, 'Internal server error');
    case 'reset':
    case 'closed':
      response.socket?.resetAndDestroy();
  }
}

/** What the call's own resource says. */
function shownOf({ status: end, at, answeredAt, durationSeconds }: CarrierEvent): Partial<FakeVapiCall> {
  const ended = end === 'in_progress' ? undefined : at;
  const started =
    answeredAt ??
    (end === 'in_progress' ? at : undefined) ??
    (ended && durationSeconds !== undefined
      ? new Date(ended.getTime() - durationSeconds * 1_000)
      : undefined);
  return {
    ...ENDS[end],
    ...(started && { startedAt: started.toISOString() }),
    ...(ended && { endedAt: ended.toISOString() }),
  };
}
