import { Injectable, Logger } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Config } from '../config/config.js';

/** In milliseconds. A person waits for the page. */
const TIMEOUT_MS = 5_000;

/** An e-mail of plain text. */
export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** Sends e-mails by SMTP, where `SMTP_URL` is set. */
@Injectable()
export class MailService {
  private readonly logger = new Logger(MailService.name);

  constructor(private readonly config: Config) {}

  /**
   * Tries once. A failure is only logged: the link is also shown to the person who invites.
   * @returns whether the server has accepted the e-mail.
   */
  async send(letter: Letter): Promise<boolean> {
    const { smtpUrl, smtpFrom } = this.config;
    if (smtpUrl === undefined || smtpFrom === undefined) return false;
    const transport = createTransport(
      {
        url: smtpUrl,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from: smtpFrom },
    );
    try {
      await transport.sendMail(letter);
      return true;
    } catch (error) {
      // The messages of servers repeat addresses.
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      this.logger.warn({ message: 'e-mail not sent', code, responseCode });
      return false;
    } finally {
      transport.close();
    }
  }
}
