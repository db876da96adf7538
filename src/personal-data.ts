import { AUDIT_PERSONAL_DATA } from './audit/personal-data.js';
import { CALL_PERSONAL_DATA } from './calls/personal-data.js';
import { CAMPAIGN_PERSONAL_DATA } from './campaigns/personal-data.js';
import { CONSENT_PERSONAL_DATA } from './consents/personal-data.js';
import { COMPLIANCE_PERSONAL_DATA } from './compliance/personal-data.js';
import { CARRIER_ACCOUNT_PERSONAL_DATA } from './carrier-accounts/personal-data.js';
import { CONTACT_PERSONAL_DATA } from './contacts/personal-data.js';
import { DIALING_PERSONAL_DATA } from './dialing/personal-data.js';
import { DATABASE_PERSONAL_DATA } from './database/personal-data.js';
import { NUMBER_LIST_PERSONAL_DATA } from './suppression/personal-data.js';
import { ERASURE_PERSONAL_DATA } from './erasure/personal-data.js';
import { EVENT_PERSONAL_DATA } from './events/personal-data.js';
import { IDEMPOTENCY_PERSONAL_DATA } from './idempotency/personal-data.js';
import { IMPORT_PERSONAL_DATA } from './imports/personal-data.js';
import { PEOPLE_PERSONAL_DATA } from './people/personal-data.js';
import { PHONE_NUMBER_PERSONAL_DATA } from './phone-numbers/personal-data.js';
import { PLATFORM_ERASURE_PERSONAL_DATA } from './platform-erasures/personal-data.js';
import { PLATFORM_PERSONAL_DATA } from './platform/personal-data.js';
import { REGISTER_PERSONAL_DATA } from './registers/personal-data.js';
import { RESTORE_PERSONAL_DATA } from './restore/personal-data.js';
import { TEAM_PERSONAL_DATA } from './teams/personal-data.js';
import { VOICE_AGENT_PERSONAL_DATA } from './voice-agents/personal-data.js';

/**
 * The parts, in the order in which a person is erased. Stored answers are first, because the search through
 * them may take seconds. Calls, which need the team's lock, follow. Events come after all parts that write
 * events. The contact's own row is erased last.
 */
const PARTS = [
  IDEMPOTENCY_PERSONAL_DATA,
  CALL_PERSONAL_DATA,
  CAMPAIGN_PERSONAL_DATA,
  NUMBER_LIST_PERSONAL_DATA,
  CONSENT_PERSONAL_DATA,
  EVENT_PERSONAL_DATA,
  IMPORT_PERSONAL_DATA,
  CONTACT_PERSONAL_DATA,
  AUDIT_PERSONAL_DATA,
  COMPLIANCE_PERSONAL_DATA,
  CARRIER_ACCOUNT_PERSONAL_DATA,
  DIALING_PERSONAL_DATA,
  DATABASE_PERSONAL_DATA,
  ERASURE_PERSONAL_DATA,
  PLATFORM_ERASURE_PERSONAL_DATA,
  PLATFORM_PERSONAL_DATA,
  PEOPLE_PERSONAL_DATA,
  PHONE_NUMBER_PERSONAL_DATA,
  REGISTER_PERSONAL_DATA,
  RESTORE_PERSONAL_DATA,
  TEAM_PERSONAL_DATA,
  VOICE_AGENT_PERSONAL_DATA,
];

/** Every table with personal data: what it holds, how long, and how it is erased and exported. */
export const PERSONAL_TABLES = PARTS.flatMap(({ personal }) => personal);

/** Every other table, with the reason why nothing of it is erased. */
export const IMPERSONAL_TABLES = PARTS.flatMap(({ impersonal }) => impersonal);
