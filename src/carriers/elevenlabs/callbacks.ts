import { type Request } from 'express';
import { type Config } from '../../config/config.js';
import { AppError, notFound } from '../../http/app-error.js';
import { isCarrierCallId } from '../answer-json.js';
import { type CallbackContext, type CallbackHandler, type CarrierCallbacks } from '../callbacks.js';
import { type CarrierEvent } from '../carrier.js';
import { instantOfMs, numberAt, recordAt, reportBytesOf, reportIn } from '../report-body.js';
import { ELEVENLABS_ROUTES, NOT_READ } from './callback-routes.js';
import { ElevenLabsApi } from './elevenlabs-api.js';
import { callRequestOf, conversationEvent, elevenLabsResult, failureEvent } from './elevenlabs-call.js';
import { type ElevenLabsConfig } from './elevenlabs.config.js';
import { type ElevenLabsKeys, elevenLabsKeysOf, elevenLabsOptionsOf } from './elevenlabs-options.js';
import { ELEVENLABS_CALLBACKS_PATH } from './elevenlabs-paths.js';
import { elevenLabsSettingsOf } from './elevenlabs-settings.js';
import { isSignedByElevenLabs } from './elevenlabs-signature.js';
import { readConversation } from './find-elevenlabs-call.js';

type Settings = Config & ElevenLabsConfig;

/** Receives ElevenLabs' reports. Each must be signed with the secret of the workspace in its address. */
export const elevenLabsCallbacks: CarrierCallbacks<Settings> = {
  path: ELEVENLABS_CALLBACKS_PATH,
  routes: ELEVENLABS_ROUTES,
  open: (context) => {
    const { apiUrl, timeoutMs } = elevenLabsOptionsOf(context.config);
    const api = new ElevenLabsApi(apiUrl, timeoutMs);
    return { routes: handlers({ context, api, timeoutMs }), close: () => api.close() };
  },
};

/** What the handlers use. */
interface Means {
  context: CallbackContext<Settings>;
  api: ElevenLabsApi;
  /** The longest time of one request to ElevenLabs, in ms. */
  timeoutMs: number;
}

function handlers(means: Means): Record<keyof typeof ELEVENLABS_ROUTES, CallbackHandler> {
  const { context } = means;
  const { keys } = elevenLabsOptionsOf(context.config);
  return {
    own: (request) => handle(means, request, keys === null ? [] : [keys], null),
    account: async (request) => {
      // An unsigned request is not worth the read and the decryption of an account.
      requireSignature(context, request);
      const account = await context.accountOf(String(request.params.accountId));
      if (account === null) throw context.unauthorized(request);
      const all = account.credentials.flatMap((one) => elevenLabsKeysOf(one) ?? []);
      return handle(means, request, all, account.teamId);
    },
  };
}

/** @throws AppError `UNAUTHORIZED` for a request without a signature. */
function requireSignature(context: CallbackContext<Settings>, request: Request): string {
  const signature = request.get('elevenlabs-signature');
  if (signature === undefined) throw context.unauthorized(request);
  return signature;
}

/**
 * @param keys the first of which is current; the secret of any may have signed.
 * @param teamId of the account in the address; null: the deployment's account, which is any team's.
 */
async function handle(
  means: Means,
  request: Request,
  keys: readonly ElevenLabsKeys[],
  teamId: string | null,
): Promise<{ moved: boolean }> {
  const { context } = means;
  // Refuses a request without a signature before its body is read.
  const signature = requireSignature(context, request);
  const secrets = keys.flatMap(({ webhookSecret }) => webhookSecret ?? []);
  if (secrets.length === 0) throw context.unauthorized(request);
  const bytes = await reportBytesOf(request);
  if (!isSignedByElevenLabs(secrets, signature, bytes)) throw context.unauthorized(request);
  const report = reportIn(bytes);
  const data = recordAt(report, 'data');
  switch (report.type) {
    case 'post_call_transcription':
      return ended(context, data, teamId);
    case 'call_initiation_failure': {
      const at = instantOfMs((numberAt(report, 'event_timestamp') ?? 0) * 1_000) ?? new Date();
      return notStarted(means, data, at, keys, teamId);
    }
    default:
      return { moved: false };
  }
}

/** The report of a conversation that has ended, with all that the API would tell. */
async function ended(
  context: CallbackContext<Settings>,
  data: Record<string, unknown>,
  teamId: string | null,
): Promise<{ moved: boolean }> {
  const callRequestId = callRequestOf(data);
  if (callRequestId === null) return { moved: false };
  const settings = await settingsOf(context, callRequestId, teamId);
  const conversation = { ...data, status: data.status === 'failed' ? 'failed' : 'done' };
  const event = conversationEvent(callRequestId, conversation);
  const result = elevenLabsResult(conversation, elevenLabsSettingsOf(settings) ?? {});
  return record(context, event && { ...event, ...(result && { result }) });
}

/** The report of a call that was not answered. It has ElevenLabs' id, and not always those of Outdial. */
async function notStarted(
  { context, api, timeoutMs }: Means,
  data: Record<string, unknown>,
  at: Date,
  [keys]: readonly ElevenLabsKeys[],
  teamId: string | null,
): Promise<{ moved: boolean }> {
  const { conversation_id: id } = data;
  let callRequestId = callRequestOf(data);
  if (callRequestId === null && isCarrierCallId(id) && keys !== undefined) {
    const read = await readConversation(api, id, keys.apiKey, AbortSignal.timeout(timeoutMs));
    if (read.kind === 'failed') throw new AppError('SERVICE_UNAVAILABLE', NOT_READ);
    if (read.kind === 'read') callRequestId = callRequestOf(read.conversation);
  }
  if (callRequestId === null) return { moved: false };
  await settingsOf(context, callRequestId, teamId);
  return record(context, failureEvent(callRequestId, data, at));
}

/** The current settings of the call's agent. @throws AppError `NOT_FOUND` for a call of another team. */
async function settingsOf(
  { reports }: CallbackContext<Settings>,
  callRequestId: string,
  teamId: string | null,
): Promise<Record<string, unknown>> {
  const known = await reports.callOf(callRequestId);
  if (known === null || (teamId !== null && known.teamId !== teamId)) throw notFound('Call');
  return known.carrierSettings;
}

async function record(
  { reports }: CallbackContext<Settings>,
  event: CarrierEvent | null,
): Promise<{ moved: boolean }> {
  if (event === null) throw notFound('Call');
  try {
    const recorded = await reports.record(event);
    if (recorded === 'unknown') throw notFound('Call');
    return { moved: recorded === 'changed' };
  } catch (error) {
    // The call has a result already. ElevenLabs would send the same report again.
    if (error instanceof AppError && error.code === 'CONFLICT') return { moved: false };
    throw error;
  }
}
