import { Expose } from 'class-transformer';
import { IsOptional, IsUrl, Matches } from 'class-validator';
import { type Problems } from './problems.js';
import { PasswordReplaced } from './url-password.decorator.js';
import { IN_PRIVATE_NETWORKS } from './urls.js';

const SMTP_URL = { ...IN_PRIVATE_NETWORKS, protocols: ['smtp', 'smtps'] };

/** An address, or a name and an address: `Outdial <calls@example.com>`. */
const MAILBOX = /^(?:[^<>@\r\n"]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

/** The server that sends invitations and password resets. */
export class MailConfig {
  /** `smtp://` begins TLS where the server offers it, `smtps://` always. If it is unset, links are only shown. */
  @Expose({ name: 'SMTP_URL' })
  @IsOptional()
  @IsUrl(SMTP_URL, { message: 'must be an smtp:// or smtps:// URL' })
  @PasswordReplaced()
  smtpUrl?: string;

  /** The sender of e-mails. */
  @Expose({ name: 'SMTP_FROM' })
  @IsOptional()
  @Matches(MAILBOX, { message: 'must be an e-mail address, such as Outdial <calls@example.com>' })
  smtpFrom?: string;
}

export function checkMail({ smtpUrl, smtpFrom }: MailConfig, problems: Problems): void {
  if (smtpUrl === undefined || smtpFrom !== undefined) return;
  problems.set('SMTP_FROM', 'SMTP_FROM: is not set; SMTP_URL needs it');
}
