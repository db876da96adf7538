/** A body can have thousands of bad fields; a message names this many. */
const MAX_NAMED = 20;

const SEPARATOR = '; ';

/**
 * One message for all faults of a request, in their order: `phoneNumber is required; email must be an email address`.
 *
 * @param messages one for each bad field; undefined: no fault.
 */
export function joinFaults(...messages: (string | undefined)[]): string {
  const faults = messages.filter((message) => message !== undefined);
  const rest = faults.length - MAX_NAMED;
  return [...faults.slice(0, MAX_NAMED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(SEPARATOR);
}

/** The message of a result, if it is a fault. */
export function faultOf(result: { ok: true } | { ok: false; message: string }): string | undefined {
  return result.ok ? undefined : result.message;
}

/** The faults that {@link joinFaults} joined. A single message with a semicolon in it is taken for several. */
export function splitFaults(message: string): string[] {
  return message.split(SEPARATOR);
}
