import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { Config } from '../config/config.js';
import { withActor } from '../database/actor.js';
import { networkOf } from '../http/client-address.js';
import { describeError } from '../telemetry/describe-error.js';
import { normalEmail } from './email.js';
import { GuessLimits } from './guess-limits.js';
import { LinksService } from './links.service.js';
import { MailService } from './mail.service.js';
import { resetLetter, resetLink } from './reset-letter.js';
import { LOCK_FORGETFUL, RECENT_RESET } from './people.sql.js';

/** The most e-mails that are on their way at once. */
const MOST_AT_ONCE = 10;

/**
 * Sends links for a new password to people who ask for one. The answer is made before the address is looked up, so
 * that neither its text nor its time tells whether there is an account. How often an address or a network may ask is
 * limited like wrong passwords.
 *
 * The link begins with `PUBLIC_URL`. Without it, links begin with the host that the request names, and a stranger who
 * asks in a person's name could name another one.
 */
@Injectable()
export class ForgottenPasswords implements OnModuleDestroy {
  private readonly logger = new Logger(ForgottenPasswords.name);
  private readonly guesses = new GuessLimits();
  private readonly sending = new Set<Promise<void>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly config: Config,
    private readonly links: LinksService,
    private readonly mail: MailService,
    private readonly audit: AuditService,
  ) {}

  get isOffered(): boolean {
    return this.config.smtpUrl !== undefined && this.config.publicUrl !== undefined;
  }

  /**
   * @param typed as the person has typed it. @param address the client's IP address.
   * @returns the seconds to wait before asking again; null: who has an account gets an e-mail.
   */
  ask(typed: string, address: string): number | null {
    const email = normalEmail(typed);
    const account = createHash('sha256').update(email).digest('base64');
    const attempt = this.guesses.begin([`account ${account}`, `network ${networkOf(address)}`], account);
    if (typeof attempt === 'number') return attempt;
    attempt.wrong();
    if (this.sending.size >= MOST_AT_ONCE) return 1;
    const sending = this.send(email, address)
      .catch((error: unknown) => this.logger.warn(`No link for a new password: ${describeError(error)}`))
      .finally(() => this.sending.delete(sending));
    this.sending.add(sending);
    return null;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.sending);
  }

  private async send(email: string, address: string): Promise<void> {
    const unknown = { kind: 'system', id: null, name: null, address } as const;
    const token = await withActor(
      () => this.dataSource.transaction((manager) => this.tokenFor(manager, email)),
      unknown,
    );
    if (token === null) return;
    const link = resetLink(this.config.publicUrl ?? '', token);
    await this.mail.send(resetLetter(email, link));
  }

  /** @returns null: there is no such person, or a link that was sent a moment ago. */
  private async tokenFor(manager: EntityManager, email: string): Promise<string | null> {
    const [user] = await manager.query<{ id: string }[]>(LOCK_FORGETFUL, [email]);
    if (user === undefined) return null;
    // A further request does not invalidate a link that was just sent.
    const [recent] = await manager.query<unknown[]>(RECENT_RESET, [user.id]);
    if (recent !== undefined) return null;
    const target = { type: 'user', id: user.id };
    await this.audit.write(manager, { teamId: null, action: 'password.forgotten', target, after: null });
    return this.links.make(manager, { kind: 'reset', userId: user.id });
  }
}
