import { type AgentSettingField } from '../agent-setting-field.js';
import { type CarrierSettings } from '../carrier.js';
import { DEFAULT_RINGING_SECONDS, type LiveKitOptions } from './livekit-options.js';

/** The settings of one dial. */
export interface DialSettings {
  sipTrunkId: string;
  agentName: string;
  ringingTimeoutSeconds: number;
}

type Defaults = Pick<LiveKitOptions, 'sipTrunkId' | 'agentName'>;

/** LiveKit's SIP service itself stops ringing after three minutes. */
const LONGEST_RINGING_SECONDS = 180;

/** The settings in forms. */
export const LIVEKIT_SETTINGS: readonly AgentSettingField[] = [
  {
    name: 'sipTrunkId',
    label: 'Outbound SIP trunk',
    hint: 'Its id, such as ST_abc123. Empty: the trunk of the deployment, if it has one.',
    kind: { type: 'text' },
  },
  {
    name: 'agentName',
    label: 'Agent at LiveKit',
    hint: 'The name that the agent is registered with. Empty: the agent of the deployment, if it has one.',
    kind: { type: 'text' },
  },
  {
    name: 'ringingTimeoutSeconds',
    label: 'Seconds of ringing',
    hint: `1 to ${LONGEST_RINGING_SECONDS}. Empty: ${DEFAULT_RINGING_SECONDS}.`,
    kind: { type: 'wholeNumber' },
  },
];

const FIELDS = LIVEKIT_SETTINGS.map(({ name }) => name);

/**
 * Reads an agent's `carrierSettings` and adds the deployment's defaults. `problem` is a sentence that names
 * the field.
 */
export function readSettings(
  settings: CarrierSettings,
  defaults: Defaults,
): { ok: true; settings: DialSettings } | { ok: false; problem: string } {
  const problem = (field: string, what: string) => ({
    ok: false as const,
    problem: `carrierSettings.${field} ${what}`,
  });
  const unknown = Object.keys(settings).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) {
    return {
      ok: false,
      problem: `carrierSettings has a field that livekit does not know; it takes ${FIELDS.join(', ')}`,
    };
  }
  const {
    sipTrunkId = defaults.sipTrunkId,
    agentName = defaults.agentName,
    ringingTimeoutSeconds = DEFAULT_RINGING_SECONDS,
  } = settings;
  if (sipTrunkId === undefined)
    return problem('sipTrunkId', 'is needed, because LIVEKIT_SIP_TRUNK_ID is not set');
  if (agentName === undefined)
    return problem('agentName', 'is needed, because LIVEKIT_AGENT_NAME is not set');
  if (!isName(sipTrunkId))
    return problem('sipTrunkId', 'must be the id of an outbound trunk, such as ST_abc123');
  if (!isName(agentName)) return problem('agentName', 'must be the name that the agent is registered with');
  if (!isRinging(ringingTimeoutSeconds)) {
    return problem('ringingTimeoutSeconds', `must be a whole number from 1 to ${LONGEST_RINGING_SECONDS}`);
  }
  return { ok: true, settings: { sipTrunkId, agentName, ringingTimeoutSeconds } };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(value);
}

function isRinging(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= LONGEST_RINGING_SECONDS;
}
