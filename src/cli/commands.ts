import { type Command } from './command.js';
import { CALL_COMMANDS } from './commands/call.js';
import { CAMPAIGN_COMMANDS } from './commands/campaign.js';
import { CARRIER_ACCOUNT_COMMANDS, CARRIER_COMMANDS } from './commands/carrier.js';
import { CONSENT_COMMANDS } from './commands/consent.js';
import { CONTACT_COMMANDS } from './commands/contact.js';
import { IMPORT_COMMANDS } from './commands/import.js';
import {
  DO_NOT_CALL_COMMANDS,
  PLATFORM_DO_NOT_CALL_COMMANDS,
  WHITELIST_COMMANDS,
} from './commands/number-lists.js';
import { PLATFORM_COMMANDS } from './commands/platform.js';
import { REGISTER_COMMANDS } from './commands/register.js';
import { RESOURCE_COMMANDS } from './commands/resources.js';
import { SECRETS_COMMANDS } from './commands/secrets.js';
import { USER_COMMANDS } from './commands/user.js';
import { WEBHOOK_COMMANDS } from './commands/webhook.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...RESOURCE_COMMANDS,
  ...DO_NOT_CALL_COMMANDS,
  ...PLATFORM_DO_NOT_CALL_COMMANDS,
  ...WHITELIST_COMMANDS,
  ...CONSENT_COMMANDS,
  ...CAMPAIGN_COMMANDS,
  ...CALL_COMMANDS,
  ...CONTACT_COMMANDS,
  ...IMPORT_COMMANDS,
  ...REGISTER_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...CARRIER_COMMANDS,
  ...CARRIER_ACCOUNT_COMMANDS,
  ...USER_COMMANDS,
  ...SECRETS_COMMANDS,
  ...PLATFORM_COMMANDS,
];
