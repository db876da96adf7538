import { accountReportUrl } from '../callbacks.js';

export const RETELL_CALLBACKS_PATH = 'api/carriers/retell';

/**
 * The address to which Retell reports about a call.
 *
 * @param publicUrl the deployment's public URL, without a slash at its end.
 * @param accountId the carrier account of the call; null: the deployment's account.
 */
export function retellReportUrl(publicUrl: string, accountId: string | null): string {
  return accountId === null
    ? `${publicUrl}/${RETELL_CALLBACKS_PATH}/events`
    : accountReportUrl(publicUrl, RETELL_CALLBACKS_PATH, accountId);
}
