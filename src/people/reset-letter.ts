import { type Letter } from './mail.service.js';

/** The address at which a person chooses a new password. @param origin of this deployment's pages. */
export function resetLink(origin: string, token: string): string {
  return `${origin}/reset/${token}`;
}

/** The e-mail with a link from {@link resetLink}. */
export function resetLetter(to: string, link: string): Letter {
  return {
    to,
    subject: 'Your new password for Outdial',
    text: `Outdial received a request to reset your password. To choose a new password, open this link within a day:\n\n${link}\n\nIf you did not request this, ignore this e-mail. Your password does not change.\n`,
  };
}
