import { type DocumentedController } from '../http/openapi/operation.js';
import { CALLBACK_CONTROLLERS } from './callback-controllers.js';

/** The callbacks of every carrier, whether this deployment has it or not. */
export const CARRIER_CALLBACKS_OPENAPI: readonly DocumentedController[] = CALLBACK_CONTROLLERS.map(
  ({ documented }) => documented,
);
