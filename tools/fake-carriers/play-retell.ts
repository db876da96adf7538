import { type ServerResponse } from 'node:http';
import { type CarrierEvent } from '../../src/carriers/carrier.js';
import { type DialAnswer } from '../../src/carriers/simulator/engine.js';
import { answerJson, FakeRetell, type FakeRetellCall, refuseByRetell, RETELL_KEY } from './fake-retell.js';
import { type Play, PlayedCalls } from './played-calls.js';

const ENDS: Record<CarrierEvent['status'], { call_status: string; disconnection_reason?: string }> = {
  in_progress: { call_status: 'ongoing' },
  completed: { call_status: 'ended', disconnection_reason: 'user_hangup' },
  voicemail: { call_status: 'ended', disconnection_reason: 'voicemail_reached' },
  busy: { call_status: 'not_connected', disconnection_reason: 'dial_busy' },
  no_answer: { call_status: 'not_connected', disconnection_reason: 'dial_no_answer' },
  failed: { call_status: 'not_connected', disconnection_reason: 'dial_failed' },
};

/** Retell in front of the simulator's engine. */
export const playRetell: Play = async (engine, port, publicUrl) => {
  const retell = await FakeRetell.start(port);
  const calls = new Map<string, { call: FakeRetellCall; webhookUrl: string }>();
  const played = new PlayedCalls<FakeRetellCall>(engine, (call, event) => {
    const webhookUrl = calls.get(event.callRequestId)?.webhookUrl ?? '';
    retell.show(call, RETELL_KEY, webhookUrl);
    Object.assign(call, shownOf(event));
  });
  retell.onDial = ({ body }, response, call) => {
    // Not in the list before the engine has it there.
    retell.hide(call);
    const { agent } = body.agent_override as { agent: { webhook_url: string } };
    const callRequestId = call.metadata.outdial_call_request_id;
    if (callRequestId === undefined) return refuseByRetell(response, 400, 'No id of Outdial.');
    calls.set(callRequestId, { call, webhookUrl: agent.webhook_url });
    played.add(callRequestId, call);
    void engine.dial({ callRequestId, to: call.to_number, from: call.from_number }).then((answer) => {
      if (answer.kind === 'refused' || answer.kind === 'throttled') played.remove(callRequestId);
      answerDial(answer, response, call);
    });
  };
  return {
    async report(event) {
      const known = calls.get(event.callRequestId);
      if (known === undefined) throw new Error('no such call');
      retell.show(known.call, RETELL_KEY, known.webhookUrl);
      const kind = event.status === 'in_progress' ? 'call_started' : 'call_ended';
      const response = await retell.report({ ...known.call, ...shownOf(event) }, kind, {}, publicUrl, {});
      await response.body?.cancel();
      if (!response.ok) throw new Error(`report answered ${response.status}`);
    },
    async close() {
      played.close();
      await retell.close();
    },
  };
};

function answerDial(answer: DialAnswer, response: ServerResponse, call: FakeRetellCall): void {
  switch (answer.kind) {
    case 'accepted':
      return answerJson(response, 201, call);
    case 'refused':
      return refuseByRetell(response, 422, 'This number cannot be called.');
    case 'throttled':
      return refuseByRetell(response, 429, 'Account rate limited.', {
        'retry-after': String(Math.ceil(answer.retryAfterMs / 1_000)),
      });
    case 'error':
      return refuseByRetell(response, 500, 'An unexpected server error occurred.');
    case 'reset':
    case 'closed':
      response.socket?.resetAndDestroy();
  }
}

/** What the call's own resource says. */
function shownOf({ status: end, at, answeredAt, durationSeconds }: CarrierEvent): Partial<FakeRetellCall> {
  const started = answeredAt ?? (end === 'in_progress' ? at : undefined);
  return {
    ...ENDS[end],
    ...(started && { start_timestamp: started.getTime() }),
    ...(end !== 'in_progress' && { end_timestamp: at.getTime() }),
    ...(durationSeconds !== undefined && { duration_ms: durationSeconds * 1_000 }),
  };
}
