import { type DocumentedController } from '../http/openapi/operation.js';
import { CALLBACK_CONTROLLERS } from './callback-controllers.js';

/** The callbacks of every carrier, including carriers that this deployment does not have. */
export const CARRIER_CALLBACKS_OPENAPI: readonly DocumentedController[] = CALLBACK_CONTROLLERS.map(
  ({ documented }) => documented,
);
