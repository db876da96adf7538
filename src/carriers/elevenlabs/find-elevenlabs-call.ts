import { isCarrierCallId } from '../answer-json.js';
import { type FindCallQuery, type FindCallResult } from '../carrier.js';
import { type JsonAnswer, recordsIn } from '../json-api.js';
import { isRecord } from '../report-body.js';
import { type ElevenLabsApi, isElevenLabsError } from './elevenlabs-api.js';
import {
  callRequestOf,
  type Conversation,
  conversationEvent,
  elevenLabsResult,
  isDone,
} from './elevenlabs-call.js';
import { elevenLabsSettingsOf } from './elevenlabs-settings.js';

const PAGE = 100;
/** The list has no ids of Outdial, so each conversation of it is read; there should be one. */
const MOST_READ = 5;
/** How far a conversation's start may be from its claim, in ms: clocks differ, and a request takes its time. */
const BEFORE_MS = 60_000;
const AFTER_MS = 300_000;

/** Finds an earlier dial by ElevenLabs' id if it is known, else by agent, time and the call request's id. */
export async function findElevenLabsCall(
  api: ElevenLabsApi,
  query: FindCallQuery,
  apiKey: string,
  signal: AbortSignal,
): Promise<FindCallResult> {
  if (query.carrierCallId !== null) {
    const read = await readConversation(api, query.carrierCallId, apiKey, signal);
    if (read.kind === 'read') return found(query, read.conversation);
    return read.kind === 'not_found' ? read : failure(read.answer);
  }
  const answer = await api.get(`/v1/convai/conversations?${listOf(query)}`, apiKey, signal);
  const listed = answer.kind === 'answer' && answer.status === 200 ? conversationsIn(answer.value) : null;
  if (listed === null) return failure(answer);
  const ids = listed.flatMap(({ conversation_id: id }) => (isCarrierCallId(id) ? [id] : []));
  for (const id of ids.slice(0, MOST_READ)) {
    const read = await readConversation(api, id, apiKey, signal);
    if (read.kind === 'failed') return failure(read.answer);
    if (read.kind === 'read' && callRequestOf(read.conversation) === query.callRequestId.toLowerCase()) {
      return found(query, read.conversation);
    }
  }
  if (ids.length > MOST_READ) return { kind: 'unknown', reason: 'carrier_list_too_long' };
  return { kind: 'not_found' };
}

function listOf({ callRequestId, claimedAt, carrierSettings }: FindCallQuery): string {
  const agentId = elevenLabsSettingsOf(carrierSettings)?.agentId;
  const seconds = (ms: number) => String(Math.floor((claimedAt.getTime() + ms) / 1_000));
  return new URLSearchParams({
    ...(agentId !== undefined && { agent_id: agentId }),
    user_id: callRequestId,
    call_start_after_unix: seconds(-BEFORE_MS),
    call_start_before_unix: seconds(AFTER_MS),
    page_size: String(PAGE),
  }).toString();
}

function conversationsIn(value: unknown): Conversation[] | null {
  return isRecord(value) ? recordsIn(value.conversations) : null;
}

export type ReadConversation =
  | { kind: 'read'; conversation: Conversation }
  | { kind: 'not_found' }
  | { kind: 'failed'; answer: JsonAnswer };

/** Reads a conversation by its id. */
export async function readConversation(
  api: ElevenLabsApi,
  id: string,
  apiKey: string,
  signal: AbortSignal,
): Promise<ReadConversation> {
  const answer = await api.get(`/v1/convai/conversations/${encodeURIComponent(id)}`, apiKey, signal);
  if (answer.kind !== 'answer') return { kind: 'failed', answer };
  const { status, value } = answer;
  if ((status === 404 || status === 422) && isElevenLabsError(value)) return { kind: 'not_found' };
  return status === 200 && isRecord(value)
    ? { kind: 'read', conversation: value }
    : { kind: 'failed', answer };
}

function found(
  { callRequestId, carrierSettings }: FindCallQuery,
  conversation: Conversation,
): FindCallResult {
  const event = conversationEvent(callRequestId, conversation);
  if (event === null) return { kind: 'unknown', reason: 'carrier_unreadable' };
  const result = isDone(conversation)
    ? elevenLabsResult(conversation, elevenLabsSettingsOf(carrierSettings) ?? {})
    : undefined;
  return { kind: 'found', event: { ...event, ...(result && { result }) } };
}

function failure(answer: JsonAnswer): FindCallResult {
  if (answer.kind !== 'answer') return { kind: 'unknown', reason: answer.reason };
  const readable = answer.status !== 200;
  return { kind: 'unknown', reason: readable ? `carrier_http_${answer.status}` : 'carrier_unreadable' };
}
