/**
 * The paths to which Twilio sends its reports and requests, below `api/carriers/twilio`; the call request's
 * id follows.
 */
export type TwilioCallbackKind = 'status' | 'amd' | 'twiml';

export const TWILIO_CALLBACKS_PATH = 'api/carriers/twilio';

/**
 * Stands in the address of status reports where the result of machine detection may come later than the
 * answer.
 */
export const LATE_DETECTION = { name: 'amd', value: 'async' } as const;

/**
 * Has Twilio repeat a report that was not taken: by default it repeats only what could not connect.
 * https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides
 */
export const REPEAT_REPORTS = '#rc=3&rp=all';

/** @param publicUrl of the deployment, without a slash at its end. */
export function twilioCallbackUrl(
  publicUrl: string,
  kind: TwilioCallbackKind,
  callRequestId: string,
): string {
  return `${publicUrl}/${TWILIO_CALLBACKS_PATH}/${kind}/${callRequestId}`;
}
