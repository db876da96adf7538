import { type Request } from 'express';
import { type Config } from '../../config/config.js';
import { AppError, notFound } from '../../http/app-error.js';
import { type CallbackContext, type CallbackHandler, type CarrierCallbacks } from '../callbacks.js';
import { recordAt, reportBytesOf, reportIn } from '../report-body.js';
import { VAPI_ROUTES } from './callback-routes.js';
import { type VapiCall, vapiEvent, vapiResult } from './vapi-call.js';
import { type VapiConfig } from './vapi.config.js';
import { vapiKeyOf, vapiOptionsOf } from './vapi-options.js';
import { VAPI_CALLBACKS_PATH } from './vapi-paths.js';
import { callOfSecret, SECRET_HEADER } from './vapi-secret.js';
import { vapiSettingsOf } from './vapi-settings.js';

type Settings = Config & VapiConfig;

/** Receives Vapi's reports. Each must have the secret of its call, made with a key of the account in its address. */
export const vapiCallbacks: CarrierCallbacks<Settings> = {
  path: VAPI_CALLBACKS_PATH,
  routes: VAPI_ROUTES,
  open: (context) => ({ routes: handlers(context) }),
};

function handlers(context: CallbackContext<Settings>): Record<keyof typeof VAPI_ROUTES, CallbackHandler> {
  const { apiKey } = vapiOptionsOf(context.config);
  return {
    own: (request) => handle(context, request, apiKey === null ? [] : [apiKey], null),
    account: async (request) => {
      // A request without a secret is not worth the read and the decryption of an account.
      requireSecret(context, request);
      const account = await context.accountOf(String(request.params.accountId));
      if (account === null) throw context.unauthorized(request);
      const keys = account.credentials.flatMap((one) => vapiKeyOf(one) ?? []);
      return handle(context, request, keys, account.teamId);
    },
  };
}

/** @throws AppError `UNAUTHORIZED` for a request without a secret. */
function requireSecret(context: CallbackContext<Settings>, request: Request): string {
  const secret = request.get(SECRET_HEADER);
  if (secret === undefined) throw context.unauthorized(request);
  return secret;
}

/**
 * @param keys any of which may have made the secret.
 * @param teamId of the account in the address; null: the deployment's account, which is any team's.
 */
async function handle(
  context: CallbackContext<Settings>,
  request: Request,
  keys: readonly string[],
  teamId: string | null,
): Promise<{ moved: boolean }> {
  // Refuses a request with a wrong secret before its body is read.
  const callRequestId = callOfSecret(keys, requireSecret(context, request));
  if (callRequestId === null) throw context.unauthorized(request);
  const message = recordAt(reportIn(await reportBytesOf(request)), 'message');
  const call = callIn(message);
  return call === null ? { moved: false } : record(context, callRequestId, call, message, teamId);
}

/** The call as a report describes it; null: the report changes nothing. */
function callIn(message: Record<string, unknown>): VapiCall | null {
  const call = recordAt(message, 'call');
  const { type, status, endedReason, startedAt, endedAt, analysis, artifact } = message;
  if (type === 'status-update') {
    return { ...call, status, ...(endedReason !== undefined && { endedReason }) };
  }
  if (type !== 'end-of-call-report') return null;
  const said = { endedReason, startedAt, endedAt, analysis, artifact };
  const given = Object.entries(said).filter(([, value]) => value !== undefined && value !== null);
  return { ...call, ...Object.fromEntries(given), status: 'ended' };
}

async function record(
  { reports }: CallbackContext<Settings>,
  callRequestId: string,
  call: VapiCall,
  { type }: Record<string, unknown>,
  teamId: string | null,
): Promise<{ moved: boolean }> {
  const known = await reports.callOf(callRequestId);
  if (known === null || (teamId !== null && known.teamId !== teamId)) throw notFound('Call');
  const event = vapiEvent(callRequestId, call);
  // A status that is none of a call under way, such as one of its deletion.
  if (event === null) return { moved: false };
  const paths = vapiSettingsOf(known.carrierSettings) ?? {};
  const result = type === 'end-of-call-report' ? vapiResult(call, paths) : undefined;
  try {
    const recorded = await reports.record({ ...event, ...(result && { result }) });
    if (recorded === 'unknown') throw notFound('Call');
    return { moved: recorded === 'changed' };
  } catch (error) {
    // The call has a result already. Vapi would send the same report again.
    if (error instanceof AppError && error.code === 'CONFLICT') return { moved: false };
    throw error;
  }
}
