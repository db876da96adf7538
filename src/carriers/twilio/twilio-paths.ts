/** The paths of Twilio's reports and requests, below `api/carriers/twilio`. The call request's id follows. */
export type TwilioCallbackKind = 'status' | 'amd' | 'twiml';

export const TWILIO_CALLBACKS_PATH = 'api/carriers/twilio';

/**
 * The query parameter of status reports. It is sent if the result of machine detection may come later than
 * the answer.
 */
export const LATE_DETECTION = { name: 'amd', value: 'async' } as const;

/**
 * Makes Twilio repeat a report that was not accepted. By default Twilio repeats only a request that could not
 * connect.
 * https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
 */
export const REPEAT_REPORTS = '#rc=3&rp=all';

/** @param publicUrl the deployment's public URL, without a slash at its end. */
export function twilioCallbackUrl(
  publicUrl: string,
  kind: TwilioCallbackKind,
  callRequestId: string,
): string {
  return `${publicUrl}/${TWILIO_CALLBACKS_PATH}/${kind}/${callRequestId}`;
}
