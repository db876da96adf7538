import { accountReportUrl } from '../callbacks.js';

export const ELEVENLABS_CALLBACKS_PATH = 'api/carriers/elevenlabs';

/**
 * The address to which the webhook of a workspace reports.
 *
 * @param publicUrl the deployment's public URL, without a slash at its end.
 * @param accountId the carrier account of the workspace; null: the deployment's account.
 */
export function elevenLabsReportUrl(publicUrl: string, accountId: string | null): string {
  return accountId === null
    ? `${publicUrl}/${ELEVENLABS_CALLBACKS_PATH}/events`
    : accountReportUrl(publicUrl, ELEVENLABS_CALLBACKS_PATH, accountId);
}
