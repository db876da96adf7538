import { Expose } from 'class-transformer';
import { IsIn, IsOptional, IsUrl } from 'class-validator';
import { Flag } from './flag.decorator.js';
import { PasswordReplaced } from './url-password.decorator.js';
import { POSTGRES_URL, POSTGRES_URL_MESSAGE } from './urls.js';
import { WholeNumber } from './whole-number.decorator.js';

/** How Postgres is reached. */
export class DatabaseConfig {
  @Expose({ name: 'DATABASE_URL' })
  @IsUrl(POSTGRES_URL, { message: POSTGRES_URL_MESSAGE })
  @PasswordReplaced()
  databaseUrl: string;

  /**
   * The URL by which the operator's surface connects; its role sees all teams. If this URL is unset,
   * `DATABASE_URL` is used. If it is set, the role of `DATABASE_URL` needs only the right to act as
   * `outdial_app`.
   */
  @Expose({ name: 'DATABASE_OPERATOR_URL' })
  @IsOptional()
  @IsUrl(POSTGRES_URL, { message: POSTGRES_URL_MESSAGE })
  @PasswordReplaced()
  databaseOperatorUrl?: string;

  /** The most connections in each pool to Postgres. A worker has one pool, an API process has two. */
  @Expose({ name: 'DATABASE_POOL_SIZE' })
  @WholeNumber(1, 200)
  databasePoolSize = 10;

  /**
   * Whether `DATABASE_URL` is a pooler that lends connections for one transaction at a time, such as
   * PgBouncer.
   */
  @Expose({ name: 'DATABASE_TRANSACTION_POOLING' })
  @Flag()
  databaseTransactionPooling = false;

  /**
   * Whether Postgres itself limits a transaction to the rows of the teams that the transaction names. This
   * does not apply to the operator's surface.
   */
  @Expose({ name: 'ROW_LEVEL_SECURITY' })
  @IsIn(['on', 'off'])
  rowLevelSecurity: 'on' | 'off' = 'on';
}
