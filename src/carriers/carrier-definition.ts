import { type ConfigPart } from '../config/config-part.js';
import { type Config } from '../config/config.js';
import { type CallbackCredentials, type CarrierCallbacks } from './callbacks.js';
import { type Carrier } from './carrier.js';

/** Everything that the rest of Outdial uses of one carrier; `registry.ts` lists the definitions. */
export interface CarrierDefinition<Name extends string = string, Own extends object = object> {
  /** For `CARRIER` and a voice agent's `carrier`. Lower-case letters. */
  name: Name;
  /** Declares its environment variables. */
  config: ConfigPart<Own>;
  /**
   * Variables without which it cannot dial. A deployment that lacks one of them does not have this carrier.
   */
  required: readonly string[];
  /**
   * Makes the carrier once its required variables are set. Opens nothing.
   *
   * @throws ConfigError naming a variable whose value cannot be used.
   */
  create(config: Config & Own): Carrier;
  /** The routes at which it reports. */
  callbacks: CarrierCallbacks<Config & Own>;
  /** What these routes ask for, in the API's document. */
  securityScheme: CallbackCredentials;
}

/** Keeps the literal type of the name and the type of the variables. */
export function carrierDefinition<const Name extends string, Own extends object>(
  definition: CarrierDefinition<Name, Own>,
): CarrierDefinition<Name, Own> {
  return definition;
}
