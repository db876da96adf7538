import { Expose } from 'class-transformer';
import { IsOptional, Matches } from 'class-validator';
import { Flag } from './flag.decorator.js';
import { type Problems } from './problems.js';
import { Secret, SecretOfShape } from './secret.decorator.js';
import { WholeNumber } from './whole-number.decorator.js';

/** Basic authentication sends user and password with a colon between them. */
const BASIC_USER = /^[\x21-\x39\x3b-\x7e]{1,100}$/;
const BASIC_PASSWORD = /^[\x21-\x7e]{8,500}$/;

/** The credentials of the operator's surface and of the operations pages. */
export class OperationsConfig {
  /**
   * Bearer token of the operator's surface under /api/admin. A worker needs no token, see `loadWorkerConfig`.
   */
  @Expose({ name: 'OPERATOR_TOKEN' })
  @Secret()
  operatorToken: string;

  /** The key that hashes the numbers of erased contacts. Both processes need it from the first erasure on. */
  @Expose({ name: 'ERASURE_KEY' })
  @IsOptional()
  @Secret()
  erasureKey?: string;

  /**
   * The key that seals secrets in the database. Without it those of webhook endpoints are stored in plain text, and no
   * second factor can be turned on.
   */
  @Expose({ name: 'SECRETS_KEY' })
  @IsOptional()
  @Secret()
  secretsKey?: string;

  /** The key before `SECRETS_KEY`, under which values still open. */
  @Expose({ name: 'SECRETS_KEY_PREVIOUS' })
  @IsOptional()
  @Secret()
  secretsKeyPrevious?: string;

  /** Days for which rows of the audit log are kept. Nothing removes a row earlier. */
  @Expose({ name: 'AUDIT_RETENTION_DAYS' })
  @WholeNumber(30, 3650)
  auditRetentionDays = 400;

  /** Days for which a consent is kept after its end, as proof. Nothing removes one that has not ended. */
  @Expose({ name: 'CONSENT_RETENTION_DAYS' })
  @WholeNumber(365, 36_500)
  consentRetentionDays = 1_826;

  /** User name of the queue's board, /admin/queues. */
  @Expose({ name: 'BULL_BOARD_USER' })
  @Matches(BASIC_USER, { message: 'must be 1 to 100 printable ASCII characters without spaces and colons' })
  bullBoardUser = 'operator';

  /** Password of the queue's board, /admin/queues. If it is unset, only an operator's session opens it. */
  @Expose({ name: 'BULL_BOARD_PASSWORD' })
  @IsOptional()
  @SecretOfShape(BASIC_PASSWORD, 'must be 8 to 500 printable ASCII characters without spaces')
  bullBoardPassword?: string;

  /** Whether /admin/queues shows the queue without letting operations staff change it. */
  @Expose({ name: 'BULL_BOARD_READ_ONLY' })
  @Flag()
  bullBoardReadOnly = true;
}

/** New values are sealed under `SECRETS_KEY`, so the previous key alone is a mistake. */
export function checkSecretsKeys(
  { secretsKey, secretsKeyPrevious }: Pick<OperationsConfig, 'secretsKey' | 'secretsKeyPrevious'>,
  problems: Problems,
): void {
  if (secretsKeyPrevious === undefined || secretsKey !== undefined || problems.has('SECRETS_KEY')) return;
  problems.set('SECRETS_KEY', 'SECRETS_KEY: is not set; SECRETS_KEY_PREVIOUS needs it');
}
