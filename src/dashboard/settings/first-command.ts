/** A call for an example. */
export interface FirstCall {
  agentId: string;
  agentName: string;
  /** The number to call from, in E.164; null: the agent has its own. */
  from: string | null;
  /** Whether a telephone rings. */
  rings: boolean;
}

/** A command for a terminal. */
export interface FirstCommand {
  command: string;
  call: FirstCall | null;
}

/** A number that the simulator answers. */
const ANSWERED = '+14155550141';

/**
 * The command with which a new key is tried: it places a call, or without an agent reads what the key is.
 *
 * @param base the address of the API, without a slash at its end.
 */
export function firstCommand(base: string, key: string, call: FirstCall | null): FirstCommand {
  const authorization = `-H 'Authorization: Bearer ${key}'`;
  if (call === null) return { command: lines([`curl '${base}/api/me'`, authorization]), call };
  const body = {
    phoneNumber: call.rings ? 'NUMBER TO CALL' : ANSWERED,
    ...(call.from !== null && { fromPhoneNumber: call.from }),
    fullName: 'Ada Lovelace',
  };
  return {
    command: lines([
      `curl -X POST '${base}/api/voice-agents/${call.agentId}/calls'`,
      authorization,
      `-H 'Content-Type: application/json'`,
      `-d '${JSON.stringify(body, null, 1).replaceAll(/\n */g, ' ')}'`,
    ]),
    call,
  };
}

const lines = (parts: string[]): string => parts.join(' \\\n  ');
