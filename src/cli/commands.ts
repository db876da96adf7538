import { type Command } from './command.js';
import { AGENT_COMMANDS } from './commands/agent.js';
import { CALL_COMMANDS } from './commands/call.js';
import { CAMPAIGN_COMMANDS } from './commands/campaign.js';
import { CARRIER_COMMANDS } from './commands/carrier.js';
import { CONTACT_COMMANDS } from './commands/contact.js';
import { IMPORT_COMMANDS } from './commands/import.js';
import { KEY_COMMANDS } from './commands/key.js';
import { DO_NOT_CALL_COMMANDS, WHITELIST_COMMANDS } from './commands/number-lists.js';
import { NUMBER_COMMANDS } from './commands/number.js';
import { PLATFORM_COMMANDS } from './commands/platform.js';
import { POOL_COMMANDS } from './commands/pool.js';
import { TEAM_COMMANDS } from './commands/team.js';
import { WEBHOOK_COMMANDS } from './commands/webhook.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...TEAM_COMMANDS,
  ...KEY_COMMANDS,
  ...NUMBER_COMMANDS,
  ...POOL_COMMANDS,
  ...AGENT_COMMANDS,
  ...DO_NOT_CALL_COMMANDS,
  ...WHITELIST_COMMANDS,
  ...CAMPAIGN_COMMANDS,
  ...CALL_COMMANDS,
  ...CONTACT_COMMANDS,
  ...IMPORT_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...CARRIER_COMMANDS,
  ...PLATFORM_COMMANDS,
];
