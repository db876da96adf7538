/** Whether this is Twilio's id of a call. */
export function isCallSid(value: unknown): value is string {
  return typeof value === 'string' && /^CA[0-9a-f]{32}$/i.test(value);
}
