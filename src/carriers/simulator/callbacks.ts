import { type Config } from '../../config/config.js';
import { bearerToken } from '../../http/bearer-token.js';
import { jsonObjectOf } from '../../http/body.js';
import { ownBody } from '../../http/request-body.js';
import { sameSecret } from '../../http/same-secret.js';
import { type CallbackContext, type CallbackHandler, type CarrierCallbacks } from '../callbacks.js';
import { EVENT_SCHEMA, EVENT_TAKEN_SCHEMA } from '../event-openapi.js';
import { reportedEvent } from '../reported-event.js';
import { type SimulatorConfig } from './simulator.config.js';

type Settings = Config & SimulatorConfig;

/**
 * Receives the reports of the simulator's process. A report must have the configured token. If no token is
 * configured, all reports are refused.
 */
export const simulatorCallbacks: CarrierCallbacks<Settings> = {
  path: 'api/carriers/simulator/events',
  routes: {
    post: {
      path: '',
      id: 'reportSimulatorEvent',
      summary: 'The simulator’s process reports the state of a call',
      description: 'In production the route exists only with `CARRIER=simulator`.',
      body: EVENT_SCHEMA,
      success: { description: 'The report was accepted.', schema: EVENT_TAKEN_SCHEMA },
    },
  },
  // In production, the simulator's token may change calls only if the simulator is the deployment's default
  // carrier.
  exist: ({ nodeEnv, carrier }) => nodeEnv !== 'production' || carrier === 'simulator',
  open: (context) => ({ routes: { post: report(context) } }),
};

function report({ config, reports, unauthorized }: CallbackContext<Settings>): CallbackHandler {
  return async (request) => {
    const expected = config.simulatorCallbackToken;
    const token = bearerToken(request.headers.authorization);
    if (expected === undefined || token === null || !sameSecret(token, expected)) throw unauthorized(request);
    ownBody(request, 'simulator');
    const event = await reportedEvent(await jsonObjectOf(request), reports);
    return { moved: (await reports.record(event)) === 'changed' };
  };
}
