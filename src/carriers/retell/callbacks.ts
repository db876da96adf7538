import { type Request } from 'express';
import { type Config } from '../../config/config.js';
import { AppError, notFound } from '../../http/app-error.js';
import { type CallbackContext, type CallbackHandler, type CarrierCallbacks } from '../callbacks.js';
import { recordAt, reportBytesOf, reportIn } from '../report-body.js';
import { RETELL_ROUTES } from './callback-routes.js';
import { callRequestOf, type RetellCall, retellEvent, retellResult } from './retell-call.js';
import { type RetellConfig } from './retell.config.js';
import { retellKeysOf, retellOptionsOf } from './retell-options.js';
import { RETELL_CALLBACKS_PATH } from './retell-paths.js';
import { retellSettingsOf } from './retell-settings.js';
import { isSignedByRetell } from './retell-signature.js';

type Settings = Config & RetellConfig;

/** The reports that change something. */
const READ: readonly unknown[] = ['call_started', 'call_ended', 'call_analyzed'];

/** Receives Retell's reports. Each must be signed with a key of the account in its address. */
export const retellCallbacks: CarrierCallbacks<Settings> = {
  path: RETELL_CALLBACKS_PATH,
  routes: RETELL_ROUTES,
  open: (context) => ({ routes: handlers(context) }),
};

function handlers(context: CallbackContext<Settings>): Record<keyof typeof RETELL_ROUTES, CallbackHandler> {
  const { keys } = retellOptionsOf(context.config);
  const own = keys === null ? [] : [keys.webhookKey];
  return {
    own: (request) => handle(context, request, own, null),
    account: async (request) => {
      // An unsigned request is not worth the read and the decryption of an account.
      requireSignature(context, request);
      const account = await context.accountOf(String(request.params.accountId));
      if (account === null) throw context.unauthorized(request);
      const all = account.credentials.flatMap((one) => retellKeysOf(one)?.webhookKey ?? []);
      return handle(context, request, all, account.teamId);
    },
  };
}

/** @throws AppError `UNAUTHORIZED` for a request without a signature. */
function requireSignature(context: CallbackContext<Settings>, request: Request): string {
  const signature = request.get('x-retell-signature');
  if (signature === undefined) throw context.unauthorized(request);
  return signature;
}

/**
 * @param keys any of which may have signed.
 * @param teamId of the account in the address; null: the deployment's account, which is any team's.
 */
async function handle(
  context: CallbackContext<Settings>,
  request: Request,
  keys: readonly string[],
  teamId: string | null,
): Promise<{ moved: boolean }> {
  // Refuses a request without a signature before its body is read.
  const signature = requireSignature(context, request);
  if (keys.length === 0) throw context.unauthorized(request);
  const bytes = await reportBytesOf(request);
  if (!isSignedByRetell(keys, signature, bytes)) throw context.unauthorized(request);
  const { event, ...report } = reportIn(bytes);
  const call = recordAt(report, 'call');
  const callRequestId = READ.includes(event) ? callRequestOf(call) : null;
  if (callRequestId === null) return { moved: false };
  return record(context, callRequestId, call, teamId);
}

async function record(
  { reports }: CallbackContext<Settings>,
  callRequestId: string,
  call: RetellCall,
  teamId: string | null,
): Promise<{ moved: boolean }> {
  const known = await reports.callOf(callRequestId);
  if (known === null || (teamId !== null && known.teamId !== teamId)) throw notFound('Call');
  const event = retellEvent(callRequestId, call);
  if (event === null) throw notFound('Call');
  const paths = retellSettingsOf(known.carrierSettings) ?? {};
  const result = event.status === 'in_progress' ? undefined : retellResult(call, paths);
  try {
    const recorded = await reports.record({ ...event, ...(result && { result }) });
    if (recorded === 'unknown') throw notFound('Call');
    return { moved: recorded === 'changed' };
  } catch (error) {
    // The call has a result already. Retell would send the same report again.
    if (error instanceof AppError && error.code === 'CONFLICT') return { moved: false };
    throw error;
  }
}
