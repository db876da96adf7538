import { accountReportUrl } from '../callbacks.js';

export const VAPI_CALLBACKS_PATH = 'api/carriers/vapi';

/**
 * The address to which Vapi reports about a call.
 *
 * @param publicUrl the deployment's public URL, without a slash at its end.
 * @param accountId the carrier account of the call; null: the deployment's account.
 */
export function vapiReportUrl(publicUrl: string, accountId: string | null): string {
  return accountId === null
    ? `${publicUrl}/${VAPI_CALLBACKS_PATH}/events`
    : accountReportUrl(publicUrl, VAPI_CALLBACKS_PATH, accountId);
}
