import { type ConfigPart } from '../config/config-part.js';
import { type Config } from '../config/config.js';
import { type AccountField } from './account-fields.js';
import { type AgentSettingField } from './agent-setting-field.js';
import { type CallbackCredentials, type CarrierCallbacks } from './callbacks.js';
import { type Carrier } from './carrier.js';

/** The process's log under the carrier's name, for failures that no result of the carrier contains. */
export interface CarrierLog {
  error(message: string): void;
}

/** Everything that the rest of Outdial uses of one carrier; `registry.ts` lists the definitions. */
export interface CarrierDefinition<Name extends string = string, Own extends object = object> {
  /** The value of `CARRIER` and of a voice agent's `carrier`, in lower-case letters. */
  name: Name;
  /** Declares the carrier's environment variables. */
  config: ConfigPart<Own>;
  /** The variables that dialing requires. A deployment that lacks one of them does not have this carrier. */
  required: readonly string[];
  /** The credentials of a team's own account. Absent: teams have no accounts of their own at this carrier. */
  accountFields?: readonly AccountField[];
  /** An agent's `carrierSettings` as forms ask for them. Absent: forms ask for JSON. */
  agentSettings?: readonly AgentSettingField[];
  /** Whether the carrier erases its calls when their person is erased. */
  erasesCalls?: true;
  /**
   * Creates the carrier once its required variables are set. Opens no file and no connection.
   *
   * @throws ConfigError naming a variable whose value cannot be used.
   */
  create(config: Config & Own, log: CarrierLog): Carrier;
  /** The routes to which the carrier reports. */
  callbacks: CarrierCallbacks<Config & Own>;
  /** The credentials of these routes, for the OpenAPI document. */
  securityScheme: CallbackCredentials;
}

/** Keeps the literal type of the name and the type of the variables. */
export function carrierDefinition<const Name extends string, Own extends object>(
  definition: CarrierDefinition<Name, Own>,
): CarrierDefinition<Name, Own> {
  return definition;
}
