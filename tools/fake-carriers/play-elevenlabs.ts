import { type ServerResponse } from 'node:http';
import { type CarrierEvent } from '../../src/carriers/carrier.js';
import { type DialAnswer } from '../../src/carriers/simulator/engine.js';
import {
  acceptByElevenLabs,
  ELEVENLABS_KEY,
  ELEVENLABS_SECRET,
  FakeElevenLabs,
  type FakeConversation,
  failureOf,
  postElevenLabsReport,
  refuseByElevenLabs,
  transcriptionOf,
} from './fake-elevenlabs.js';
import { CALLER_IDS, type Play, PlayedCalls } from './played-calls.js';

/** The failure of a call that was not answered; null: it was. */
const FAILURES: Record<CarrierEvent['status'], string | null> = {
  in_progress: null,
  completed: null,
  voicemail: null,
  busy: 'busy',
  no_answer: 'no-answer',
  failed: 'unknown',
};

/** ElevenLabs in front of the simulator's engine. */
export const playElevenLabs: Play = async (engine, port, publicUrl) => {
  const elevenLabs = await FakeElevenLabs.start(port);
  elevenLabs.numbers = CALLER_IDS;
  const calls = new Map<string, { conversation: FakeConversation; to: string }>();
  const played = new PlayedCalls<FakeConversation>(engine, (conversation, event) => {
    elevenLabs.show(conversation, ELEVENLABS_KEY, calls.get(event.callRequestId)?.to ?? '');
    Object.assign(conversation, shownOf(conversation, event));
  });
  elevenLabs.onDial = ({ body }, response, conversation) => {
    // Not in the list before the engine has it there.
    elevenLabs.hide(conversation);
    const { user_id: callRequestId } = conversation.conversation_initiation_client_data;
    const to = String(body.to_number);
    calls.set(callRequestId, { conversation, to });
    played.add(callRequestId, conversation);
    const from = String(body.agent_phone_number_id).replace(/^phnum_/, '+');
    void engine.dial({ callRequestId, to, from }).then((answer) => {
      if (answer.kind === 'refused' || answer.kind === 'throttled') played.remove(callRequestId);
      answerDial(answer, response, conversation);
    });
  };
  return {
    async report(event) {
      const known = calls.get(event.callRequestId);
      if (known === undefined) throw new Error('no such call');
      // A conversation that has begun is not reported.
      if (event.status === 'in_progress') return;
      const { conversation, to } = known;
      elevenLabs.show(conversation, ELEVENLABS_KEY, to);
      const failure = FAILURES[event.status];
      const report =
        failure === null
          ? transcriptionOf({ ...conversation, ...shownOf(conversation, event) })
          : failureOf(conversation, failure);
      const url = `${publicUrl}/api/carriers/elevenlabs/events`;
      const response = await postElevenLabsReport(url, JSON.stringify(report), ELEVENLABS_SECRET);
      await response.body?.cancel();
      if (!response.ok) throw new Error(`report answered ${response.status}`);
    },
    async close() {
      played.close();
      await elevenLabs.close();
    },
  };
};

function answerDial(answer: DialAnswer, response: ServerResponse, conversation: FakeConversation): void {
  switch (answer.kind) {
    case 'accepted':
      return acceptByElevenLabs(response, conversation);
    case 'refused':
      return refuseByElevenLabs(response, 422, 'invalid_phone_number');
    case 'throttled':
      return refuseByElevenLabs(response, 429, 'too_many_concurrent_requests', {
        'retry-after': String(Math.ceil(answer.retryAfterMs / 1_000)),
      });
    case 'error':
      return refuseByElevenLabs(response, 500, 'internal_server_error');
    case 'reset':
    case 'closed':
      response.socket?.resetAndDestroy();
  }
}

/** What the conversation's own resource says. */
function shownOf(
  { metadata }: FakeConversation,
  { status: end, at, answeredAt, durationSeconds = 0 }: CarrierEvent,
): Partial<FakeConversation> {
  const failure = FAILURES[end];
  const seconds = (instant: Date) => Math.floor(instant.getTime() / 1_000);
  return {
    status: end === 'in_progress' ? 'in-progress' : failure === null ? 'done' : 'failed',
    metadata: {
      ...metadata,
      ...(answeredAt && { accepted_time_unix_secs: seconds(answeredAt) }),
      ...(answeredAt === undefined && { start_time_unix_secs: seconds(at) - durationSeconds }),
      call_duration_secs: durationSeconds,
      termination_reason: failure ?? '',
      features_usage: { voicemail_detection: { enabled: true, used: end === 'voicemail' } },
    },
  };
}
