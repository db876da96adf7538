import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { withActor } from '../database/actor.js';
import { AppError } from '../http/app-error.js';
import { SecretNotOpened, type Secrets } from '../secrets/secrets.js';
import { SECRETS } from '../secrets/secrets.token.js';
import { acceptedStep, hashOfRecoveryCode } from './authenticator.js';
import { type User } from './user.entity.js';

/** $1 user, $2 step, $3 the sealed secret. */
const USE_STEP = `
  UPDATE users SET totp_last_step = $2
  WHERE id = $1 AND totp_secret = $3 AND (totp_last_step IS NULL OR totp_last_step < $2)`;

/** $1 user, $2 hash. */
const USE_RECOVERY_CODE = `
  UPDATE users SET recovery_codes = array_remove(recovery_codes, $2)
  WHERE id = $1 AND totp_secret IS NOT NULL AND $2 = ANY(recovery_codes)`;

const NOT_CHECKED =
  'Codes of authenticators cannot be checked now, because SECRETS_KEY is not the one under which they were set up. Use a recovery code, or ask an operator';

/** Uses codes of second factors. Each is used once, also by two requests at a time: one statement takes it. */
@Injectable()
export class SecondFactorCodes {
  private readonly logger = new Logger(SecondFactorCodes.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    @Inject(SECRETS) private readonly secrets: Secrets | null,
  ) {}

  /**
   * @param code of the authenticator, or a recovery code. @returns whether it was right and not used before.
   * @throws AppError `CONFLICT` if codes of the authenticator cannot be checked.
   */
  async use(user: User, code: string, address: string): Promise<boolean> {
    if (user.totpSecret === null) return false;
    if (user.recoveryCodes.includes(hashOfRecoveryCode(code)))
      return this.useRecoveryCode(user, code, address);
    const lastStep = user.totpLastStep === null ? null : Number(user.totpLastStep);
    const step = acceptedStep(this.open(user.id, user.totpSecret), code, new Date(), lastStep);
    if (step === null) return false;
    return isOne(this.dataSource.manager, USE_STEP, [user.id, step, user.totpSecret]);
  }

  private useRecoveryCode({ id, email }: User, code: string, address: string): Promise<boolean> {
    const work = async (manager: EntityManager) => {
      if (!(await isOne(manager, USE_RECOVERY_CODE, [id, hashOfRecoveryCode(code)]))) return false;
      const action = 'second_factor.recovery_code_used';
      await this.audit.write(manager, { teamId: null, action, target: { type: 'user', id } });
      return true;
    };
    return withActor(() => this.dataSource.transaction(work), { kind: 'user', id, name: email, address });
  }

  private open(id: string, sealed: string): string {
    try {
      if (this.secrets !== null)
        return this.secrets.open(sealed, { table: 'users', column: 'totp_secret', id });
      this.logger.error('SECRETS_KEY is not set, so users.totp_secret cannot be opened');
    } catch (error) {
      if (!(error instanceof SecretNotOpened)) throw error;
      this.logger.error(error.message);
    }
    throw new AppError('CONFLICT', NOT_CHECKED);
  }
}

/** Whether the statement changed the one row. */
async function isOne(manager: EntityManager, sql: string, values: unknown[]): Promise<boolean> {
  const [, affected] = await manager.query<[unknown[], number]>(sql, values);
  return affected === 1;
}
