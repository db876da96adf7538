import { UUID } from '../../domain/uuid.js';
import { isCarrierCallId } from '../answer-json.js';
import { type CarrierCallResult, type CarrierEvent } from '../carrier.js';
import { conversationResult, type ResultPaths } from '../conversation-result.js';
import { reasonFrom } from '../mapped-event.js';
import { instantOfMs, numberAt, recordAt, textAt } from '../report-body.js';
import { isScreening, SCREENING_BOT } from '../screening.js';
import { retellMeaning } from './retell-outcomes.js';

/** The names of Outdial's ids in a call's metadata. */
export const CALL_KEY = 'outdial_call_request_id';
export const GENERATION_KEY = 'outdial_generation';

/** A call as Retell's API and reports describe it. */
export type RetellCall = Record<string, unknown>;

const ENDED: readonly unknown[] = ['ended', 'not_connected', 'error'];

/** The call request of a call; null: the call is not Outdial's. */
export function callRequestOf(call: RetellCall): string | null {
  const id = textAt(recordAt(call, 'metadata'), CALL_KEY);
  return id !== null && UUID.test(id) ? id.toLowerCase() : null;
}

/** The event that a description of a call means, without its result; null if it is unreadable. */
export function retellEvent(
  callRequestId: string,
  call: RetellCall,
  now: Date = new Date(),
): CarrierEvent | null {
  const { call_id: carrierCallId, call_status: status } = call;
  if (!isCarrierCallId(carrierCallId)) return null;
  const about = { callRequestId, carrierCallId };
  const startedAt = instantOfMs(numberAt(call, 'start_timestamp'));
  if (!ENDED.includes(status)) {
    const answeredAt = status === 'ongoing' ? (startedAt ?? now) : undefined;
    return { ...about, status: 'in_progress', at: answeredAt ?? now, ...(answeredAt && { answeredAt }) };
  }
  const reason = textAt(call, 'disconnection_reason');
  const known = reason === null ? undefined : retellMeaning(reason);
  const meaning = known ?? { status: 'failed' as const };
  const at = instantOfMs(numberAt(call, 'end_timestamp')) ?? now;
  const event: CarrierEvent = { ...about, status: meaning.status, at };
  if (known === null) event.unknownWord = true;
  if (meaning.status !== 'completed') {
    const word =
      'reason' in meaning ? meaning.reason : reason === null ? 'carrier_failed' : reasonFrom(reason);
    if (word && meaning.status !== 'busy' && meaning.status !== 'no_answer') event.reason = word;
  }
  if ((meaning.status === 'completed' || meaning.status === 'voicemail') && startedAt !== null) {
    event.answeredAt = startedAt;
    const milliseconds = numberAt(call, 'duration_ms') ?? at.getTime() - startedAt.getTime();
    event.durationSeconds = Math.max(0, Math.round(milliseconds / 1_000));
  }
  return event;
}

/**
 * The result of a call, once Retell has analyzed it; undefined before. A report of the end comes first, without
 * the analysis. A call has one result, so that report has none.
 */
export function retellResult(call: RetellCall, paths: ResultPaths): CarrierCallResult | undefined {
  const { call_summary: summary, ...analysis } = recordAt(call, 'call_analysis');
  if (summary === undefined && Object.keys(analysis).length === 0) return undefined;
  return conversationResult(
    {
      summary: typeof summary === 'string' ? summary : null,
      transcript: textAt(call, 'transcript'),
      recordingUrl: textAt(call, 'recording_url'),
      analysis,
      ...(isScreening(textAt(call, 'disconnection_reason') ?? '') && { answeredBy: SCREENING_BOT }),
    },
    paths,
  );
}
