import { CALL_ENTITIES } from './calls/entities.js';
import { CAMPAIGN_ENTITIES } from './campaigns/entities.js';
import { CONTACT_ENTITIES } from './contacts/entities.js';
import { NUMBER_LIST_ENTITIES } from './do-not-call/entities.js';
import { ERASURE_ENTITIES } from './erasure/entities.js';
import { EVENT_ENTITIES } from './events/entities.js';
import { IDEMPOTENCY_ENTITIES } from './idempotency/entities.js';
import { IMPORT_ENTITIES } from './imports/entities.js';
import { OPERATION_ENTITIES } from './operations/entities.js';
import { PHONE_NUMBER_ENTITIES } from './phone-numbers/entities.js';
import { RESTORE_ENTITIES } from './restore/entities.js';
import { TEAM_ENTITIES } from './teams/entities.js';
import { VOICE_AGENT_ENTITIES } from './voice-agents/entities.js';

/**
 * The entity classes of all folders. The data sources of the processes and of the drift test map these
 * classes.
 */
export const ENTITIES = [
  ...CALL_ENTITIES,
  ...CAMPAIGN_ENTITIES,
  ...CONTACT_ENTITIES,
  ...NUMBER_LIST_ENTITIES,
  ...ERASURE_ENTITIES,
  ...EVENT_ENTITIES,
  ...IDEMPOTENCY_ENTITIES,
  ...IMPORT_ENTITIES,
  ...OPERATION_ENTITIES,
  ...PHONE_NUMBER_ENTITIES,
  ...RESTORE_ENTITIES,
  ...TEAM_ENTITIES,
  ...VOICE_AGENT_ENTITIES,
];
