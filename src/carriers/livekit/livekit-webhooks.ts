import { type CarrierEvent } from '../carrier.js';
import { agentReports, type AgentReports } from './agent-reports.js';
import {
  ANSWERED_STATUSES,
  disconnectMeaning,
  reasonHeaderMeaning,
  type SipMeaning,
} from './livekit-outcomes.js';
import {
  loadLiveKitSdk,
  type ParticipantInfo,
  type WebhookEvent,
  type WebhookReceiver,
} from './livekit-session.js';
import { calleeIdentity, callOfRoom } from './room.js';

/** The content type of LiveKit's webhooks. */
export const WEBHOOK_CONTENT_TYPE = 'application/webhook+json';

/** The meaning of a webhook. For a finished room, LiveKit does not report the outcome of the room's call. */
export type LiveKitReport =
  | { kind: 'event'; event: CarrierEvent }
  | { kind: 'room_finished'; callRequestId: string; room: string }
  | { kind: 'ignored' };

const REASON_HEADER = 'sip.h.reason';

const IGNORED: LiveKitReport = { kind: 'ignored' };

/** Verifies and reads LiveKit's webhooks. */
export class LiveKitWebhooks {
  private receiver: WebhookReceiver | undefined;

  constructor(
    private readonly apiKey: string,
    private readonly apiSecret: string,
  ) {}

  /**
   * @param body exactly as it arrived; its digest is signed.
   * @param authorization the header: a token without `Bearer`.
   * @returns `forged` if LiveKit did not sign the body.
   */
  async read(
    body: Buffer,
    authorization: string | undefined,
  ): Promise<LiveKitReport | 'forged' | 'malformed'> {
    const { WebhookReceiver: Receiver } = await loadLiveKitSdk();
    this.receiver ??= new Receiver(this.apiKey, this.apiSecret);
    let event: WebhookEvent;
    try {
      event = await this.receiver.receive(body.toString('utf8'), authorization);
    } catch (error) {
      return isAboutTheBody(error) ? 'malformed' : 'forged';
    }
    return reportOf(event);
  }
}

/**
 * Whether the SDK failed to decode the body. The SDK verifies the signature first, and throws plain errors
 * for a wrong signature and for a malformed body.
 */
function isAboutTheBody(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'SyntaxError' || error.message.startsWith('cannot decode '))
  );
}

/**
 * Of the webhooks about participants, only those about the callee change a call. Other participants of the
 * room belong to the agent.
 */
export function reportOf({ event, room, participant, createdAt }: WebhookEvent): LiveKitReport {
  const callRequestId = room === undefined ? null : callOfRoom(room.name);
  if (room === undefined || callRequestId === null) return IGNORED;
  // A clock that is ahead would make the call longer than it was.
  const at = new Date(createdAt > 0n ? Math.min(Number(createdAt) * 1_000, Date.now()) : Date.now());
  const said = agentReports(participant?.attributes ?? {}, room.metadata);
  const call = { callRequestId, carrierCallId: room.name, at };
  if (event === 'room_finished') {
    if (!said.answered) return { kind: 'room_finished', callRequestId, room: room.name };
    return { kind: 'event', event: { ...call, ...conversation(said, at) } };
  }
  if (participant?.identity !== calleeIdentity(callRequestId)) return IGNORED;
  if (event === 'participant_joined') {
    const answeredAt = said.answeredAt ?? undefined;
    return { kind: 'event', event: { ...call, status: 'in_progress', ...(answeredAt && { answeredAt }) } };
  }
  // LiveKit sends `participant_connection_aborted` instead of `participant_left` if the media connection was
  // never established.
  if (event !== 'participant_left' && event !== 'participant_connection_aborted') return IGNORED;
  const end = endOf(participant, said, at);
  return end === null ? IGNORED : { kind: 'event', event: { ...call, ...end } };
}

type End = Pick<CarrierEvent, 'status' | 'reason' | 'answeredAt' | 'durationSeconds'>;

/** Returns null if the participant continues in another connection or room. */
function endOf(
  { disconnectReason, attributes }: Pick<ParticipantInfo, 'disconnectReason' | 'attributes'>,
  said: AgentReports,
  at: Date,
): End | null {
  const meaning = disconnectMeaning(disconnectReason);
  const answered = said.answered || ANSWERED_STATUSES.has(attributes['sip.callStatus'] ?? '');
  const status = answered ? meaning.answered : meaning.unanswered;
  const refused = answered ? undefined : refusalIn(attributes);
  if (refused && status !== null) return { status: refused.end, reason: refused.reason };
  if (status === null) return null;
  const talked = answered ? conversation(said, at) : null;
  if (talked && (status === 'completed' || said.machine)) return talked;
  return { ...talked, status, reason: `livekit_${meaning.code}` };
}

/** The meaning of the trunk's `Reason` header, which LiveKit adds to the attributes if the trunk includes headers. */
function refusalIn(attributes: Record<string, string>): SipMeaning | undefined {
  const header = Object.keys(attributes).find((name) => name.toLowerCase() === REASON_HEADER);
  return header === undefined ? undefined : reasonHeaderMeaning(attributes[header] ?? '');
}

/** The end of a call that was answered. */
function conversation({ answeredAt, machine }: AgentReports, endedAt: Date): End {
  const status = machine ? 'voicemail' : 'completed';
  if (answeredAt === null) return { status };
  // LiveKit's instants are whole seconds, so `endedAt` can be earlier than the agent's more precise
  // `answeredAt`.
  const durationSeconds = Math.max(0, Math.round((endedAt.getTime() - answeredAt.getTime()) / 1_000));
  return { status, answeredAt, durationSeconds };
}
