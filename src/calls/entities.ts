import { CallResult } from './results/call-result.entity.js';
import { CallDetails } from './shared/call-details.entity.js';
import { CallRequest } from './shared/call-request.entity.js';
import { SweeperRun } from './recovery/sweeper-run.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const CALL_ENTITIES = [CallRequest, CallDetails, CallResult, SweeperRun];
