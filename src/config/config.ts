import { ComplianceConfig } from './compliance.config.js';
import { type ConfigPart } from './config-part.js';
import { DatabaseConfig } from './database.config.js';
import { DialingConfig } from './dialing.config.js';
import { JournalConfig } from './journal.config.js';
import { MailConfig } from './mail.config.js';
import { OidcConfig } from './oidc.config.js';
import { OperationsConfig } from './operations.config.js';
import { PacksConfig } from './packs.config.js';
import { RedisConfig } from './redis.config.js';
import { RequestsConfig } from './requests.config.js';
import { ServerConfig } from './server.config.js';
import { TelemetryConfig } from './telemetry.config.js';
import { WebhooksConfig } from './webhooks.config.js';

/** In the order of `.env.example`. */
export const CONFIG_PARTS = [
  ServerConfig,
  DatabaseConfig,
  RedisConfig,
  OperationsConfig,
  MailConfig,
  OidcConfig,
  JournalConfig,
  RequestsConfig,
  DialingConfig,
  ComplianceConfig,
  PacksConfig,
  WebhooksConfig,
  TelemetryConfig,
] as const satisfies readonly ConfigPart[];

type Composed = ServerConfig &
  DatabaseConfig &
  RedisConfig &
  OperationsConfig &
  MailConfig &
  OidcConfig &
  JournalConfig &
  RequestsConfig &
  DialingConfig &
  ComplianceConfig &
  PacksConfig &
  WebhooksConfig &
  TelemetryConfig;

/** Has the defaults of every part. */
const Defaults = class {
  constructor() {
    for (const Part of CONFIG_PARTS) Object.assign(this, new Part());
  }
} as new () => Composed;

/**
 * The environment that Outdial itself reads, validated once at start. At run time the object also has the
 * variables of every carrier. Their types are in the carriers' folders. The type in `src/configuration.ts`
 * has both kinds of variables.
 */
export class Config extends Defaults {}
