import { isCarrierCallId } from '../answer-json.js';
import { type CarrierCallResult, type CarrierEvent } from '../carrier.js';
import { conversationResult, type ResultPaths } from '../conversation-result.js';
import { reasonFrom } from '../mapped-event.js';
import { instantOfText, isRecord, recordAt, textAt } from '../report-body.js';
import { isScreening, SCREENING_BOT } from '../screening.js';
import { vapiMeaning } from './vapi-outcomes.js';

/** A call as Vapi's API and reports describe it. */
export type VapiCall = Record<string, unknown>;

/** A call's name at Vapi, at most 40 characters: the call request's id without hyphens, and the generation. */
const NAME = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})-\d+$/;

export function vapiNameOf(callRequestId: string, generation: number): string {
  return `${callRequestId.toLowerCase().replaceAll('-', '')}-${generation}`;
}

/** The call request of a call; null: the call is not Outdial's. */
export function callRequestOf(call: VapiCall): string | null {
  const parts = NAME.exec(textAt(call, 'name') ?? '');
  return parts === null ? null : parts.slice(1).join('-');
}

const UNDER_WAY: readonly unknown[] = ['scheduled', 'queued', 'ringing'];
const ANSWERED: readonly unknown[] = ['in-progress', 'forwarding'];

/**
 * The event that a description of a call means, without its result; null if it is unreadable or has a status that
 * says nothing about a call.
 */
export function vapiEvent(
  callRequestId: string,
  call: VapiCall,
  now: Date = new Date(),
): CarrierEvent | null {
  const { id: carrierCallId, status } = call;
  if (!isCarrierCallId(carrierCallId)) return null;
  const about = { callRequestId, carrierCallId };
  const startedAt = instantOfText(textAt(call, 'startedAt'));
  if (UNDER_WAY.includes(status)) return { ...about, status: 'in_progress', at: now };
  if (ANSWERED.includes(status)) {
    const answeredAt = startedAt ?? now;
    return { ...about, status: 'in_progress', at: answeredAt, answeredAt };
  }
  if (status !== 'ended') return null;
  const reason = textAt(call, 'endedReason');
  const known = reason === null ? undefined : vapiMeaning(reason);
  const meaning = known ?? { status: 'failed' as const };
  const at = instantOfText(textAt(call, 'endedAt')) ?? now;
  const event: CarrierEvent = { ...about, status: meaning.status, at };
  if (known === null) event.unknownWord = true;
  if (meaning.status === 'failed' || meaning.status === 'voicemail') {
    const word = meaning.reason ?? (reason === null ? 'carrier_failed' : reasonFrom(reason));
    if (word !== null) event.reason = word;
  }
  if ((meaning.status === 'completed' || meaning.status === 'voicemail') && startedAt !== null) {
    event.answeredAt = startedAt;
    event.durationSeconds = Math.max(0, Math.round((at.getTime() - startedAt.getTime()) / 1_000));
  }
  return event;
}

/** The result of a call from its description or from the report of its end; undefined if it tells nothing. */
export function vapiResult(call: VapiCall, paths: ResultPaths): CarrierCallResult | undefined {
  const { summary, ...analysis } = recordAt(call, 'analysis');
  const artifact = recordAt(call, 'artifact');
  const outputs = recordAt(artifact, 'structuredOutputs');
  return conversationResult(
    {
      summary: typeof summary === 'string' ? summary : textAt(call, 'summary'),
      transcript: textAt(artifact, 'transcript') ?? textAt(call, 'transcript'),
      recordingUrl: recordingOf(artifact) ?? textAt(call, 'recordingUrl'),
      analysis: {
        ...analysis,
        ...(Object.keys(outputs).length > 0 && { structuredOutputs: byName(outputs) }),
      },
      ...(isScreening(textAt(call, 'endedReason') ?? '') && { answeredBy: SCREENING_BOT }),
    },
    paths,
  );
}

function recordingOf(artifact: Record<string, unknown>): string | null {
  const recording = recordAt(artifact, 'recording');
  return (
    textAt(artifact, 'recordingUrl') ??
    textAt(recordAt(recording, 'mono'), 'combinedUrl') ??
    textAt(recording, 'stereoUrl')
  );
}

/** Vapi lists its structured outputs by ids, each with the name that its user gave it. */
function byName(outputs: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(outputs).map(([id, output]) =>
      isRecord(output) && typeof output.name === 'string' ? [output.name, output.result] : [id, output],
    ),
  );
}
