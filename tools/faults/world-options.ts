import { type FaultCarrier } from './carriers.js';
import { type Sabotage } from './dist-copy.js';
import { type Random } from './random.js';

/** How a world is built. */
export interface WorldOptions {
  random: Random;
  /** How many calls will be placed; plans are sized by it. */
  calls: number;
  /** How many dials campaigns will make, for the same reason. */
  attempts?: number;
  sabotage?: Sabotage;
  /** By which calls are dialed; the simulator unless told. */
  carrier?: FaultCarrier;
  /** Where the processes' logs stay; by default they go with everything else. */
  logDirectory?: string;
  /** Further variables of the product's processes. */
  env?: NodeJS.ProcessEnv;
}
