import { UUID } from '../../domain/uuid.js';
import { isCarrierCallId } from '../answer-json.js';
import { type CarrierCallResult, type CarrierEvent } from '../carrier.js';
import { conversationResult, type ResultPaths } from '../conversation-result.js';
import { type EndMeaning, reasonFrom } from '../mapped-event.js';
import { instantOfMs, isRecord, numberAt, recordAt, textAt } from '../report-body.js';
import { isScreening, SCREENING_BOT } from '../screening.js';
import { elevenLabsMeaning, sipMeaningOf } from './elevenlabs-outcomes.js';

/** The names of Outdial's ids among a conversation's dynamic variables. */
export const CALL_KEY = 'outdial_call_request_id';
export const GENERATION_KEY = 'outdial_generation';

/** A conversation as ElevenLabs' API and reports describe it. */
export type Conversation = Record<string, unknown>;

/** The call request of a conversation; null: the conversation is not Outdial's. */
export function callRequestOf(conversation: Conversation): string | null {
  const sent = recordAt(conversation, 'conversation_initiation_client_data');
  const id =
    textAt(recordAt(sent, 'dynamic_variables'), CALL_KEY) ??
    textAt(sent, 'user_id') ??
    textAt(conversation, 'user_id');
  return id !== null && UUID.test(id) ? id.toLowerCase() : null;
}

/** Whether the conversation has ended, and its analysis is complete. */
export function isDone({ status }: Conversation): boolean {
  return status === 'done' || status === 'failed';
}

/** The event that a description of a conversation means, without its result; null if it is unreadable. */
export function conversationEvent(
  callRequestId: string,
  conversation: Conversation,
  now: Date = new Date(),
): CarrierEvent | null {
  const { conversation_id: carrierCallId, status } = conversation;
  if (!isCarrierCallId(carrierCallId)) return null;
  const about = { callRequestId, carrierCallId };
  const metadata = recordAt(conversation, 'metadata');
  const startedAt =
    instantOfSeconds(numberAt(metadata, 'accepted_time_unix_secs')) ??
    instantOfSeconds(numberAt(metadata, 'start_time_unix_secs'));
  if (!isDone(conversation)) {
    const answeredAt = status === 'initiated' ? undefined : (startedAt ?? now);
    return { ...about, status: 'in_progress', at: answeredAt ?? now, ...(answeredAt && { answeredAt }) };
  }
  const seconds = Math.max(0, Math.round(numberAt(metadata, 'call_duration_secs') ?? 0));
  const at = startedAt === null ? now : new Date(startedAt.getTime() + seconds * 1_000);
  if (status === 'failed') return failedEvent(about, [wordOf(metadata)], metadata, at);
  const machine = machineOf(conversation);
  const answered = { ...(startedAt && { answeredAt: startedAt }), durationSeconds: seconds };
  return machine === null
    ? { ...about, status: 'completed', at, ...answered }
    : { ...about, status: 'voicemail', at, reason: machine, ...answered };
}

/** The event of a report that a call was not started; null if the report is unreadable. */
export function failureEvent(
  callRequestId: string,
  report: Record<string, unknown>,
  at: Date,
): CarrierEvent | null {
  const { conversation_id: carrierCallId } = report;
  if (!isCarrierCallId(carrierCallId)) return null;
  const body = recordAt(recordAt(report, 'metadata'), 'body');
  const reason = textAt(report, 'failure_reason');
  const status = textAt(body, 'CallStatus');
  // ElevenLabs' word says more than Twilio's, unless it is `unknown`.
  const words = reason === 'unknown' ? [status, reason] : [reason, status];
  return failedEvent({ callRequestId, carrierCallId }, words, body, at);
}

function failedEvent(
  about: Pick<CarrierEvent, 'callRequestId' | 'carrierCallId'>,
  words: (string | null)[],
  details: Record<string, unknown>,
  at: Date,
): CarrierEvent {
  const word = words.find((one) => one !== null && one !== '') ?? null;
  const bySip = sipMeaningOf(numberAt(details, 'sip_status_code'), sipTextOf(details));
  const known = word === null ? undefined : elevenLabsMeaning(word);
  const meaning: EndMeaning = bySip ?? known ?? { status: 'failed' };
  const event: CarrierEvent = { ...about, status: meaning.status, at };
  if (bySip === null && known === null) event.unknownWord = true;
  if (meaning.status === 'failed' || meaning.status === 'voicemail') {
    event.reason = meaning.reason ?? (word === null ? null : reasonFrom(word)) ?? 'carrier_failed';
  }
  return event;
}

function sipTextOf(details: Record<string, unknown>): string {
  return [textAt(details, 'sip_status'), textAt(details, 'error_reason')].filter((one) => one).join(' ');
}

/** Why a conversation failed, in ElevenLabs' words. */
function wordOf(metadata: Record<string, unknown>): string | null {
  const reason = textAt(recordAt(metadata, 'error'), 'reason');
  return reason === null || reason === '' ? textAt(metadata, 'termination_reason') : reason;
}

/** The reason of a conversation with a machine; null: ElevenLabs names none. */
function machineOf(conversation: Conversation): string | null {
  const metadata = recordAt(conversation, 'metadata');
  const ended = textAt(metadata, 'termination_reason') ?? '';
  if (isScreening(ended)) return reasonFrom(ended) ?? SCREENING_BOT;
  const detection = recordAt(recordAt(metadata, 'features_usage'), 'voicemail_detection');
  const detected =
    detection.used === true || /\bvoicemail/i.test(ended) || callsTool(conversation, 'voicemail_detection');
  return detected ? 'voicemail_detected' : null;
}

function callsTool(conversation: Conversation, name: string): boolean {
  return turnsOf(conversation).some(
    ({ tool_calls: calls }) =>
      Array.isArray(calls) &&
      calls.some((call) => isRecord(call) && call.tool_name === name && call.tool_has_been_called !== false),
  );
}

function turnsOf({ transcript }: Conversation): Record<string, unknown>[] {
  return Array.isArray(transcript) ? transcript.filter(isRecord) : [];
}

/** The result of a conversation that has ended; undefined if it tells nothing. */
export function elevenLabsResult(
  conversation: Conversation,
  paths: ResultPaths,
): CarrierCallResult | undefined {
  const { transcript_summary: summary, ...analysis } = recordAt(conversation, 'analysis');
  const lines = turnsOf(conversation).flatMap(({ role, message }) =>
    typeof message === 'string' && message !== ''
      ? [`${role === 'user' ? 'User' : 'Agent'}: ${message}`]
      : [],
  );
  const ended = textAt(recordAt(conversation, 'metadata'), 'termination_reason') ?? '';
  return conversationResult(
    {
      summary: typeof summary === 'string' ? summary : null,
      transcript: lines.join('\n'),
      analysis,
      ...(isScreening(ended) && { answeredBy: SCREENING_BOT }),
    },
    paths,
  );
}

function instantOfSeconds(seconds: number | null): Date | null {
  return instantOfMs(seconds === null ? null : seconds * 1_000);
}
