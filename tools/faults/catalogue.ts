import { type Fault } from './fault.js';
import { FAULTS_OF_PROGRAMS } from './faults-of-programs.js';
import { FAULTS_OF_SERVERS } from './faults-of-servers.js';
import { FAULTS_OF_TRAFFIC } from './faults-of-traffic.js';

/** Everything that goes wrong. */
export const FAULTS: readonly Fault[] = [...FAULTS_OF_PROGRAMS, ...FAULTS_OF_SERVERS, ...FAULTS_OF_TRAFFIC];
