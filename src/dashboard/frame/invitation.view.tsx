import { INVITED_HOURS } from '../../people/people.service.js';
import { Badge } from './controls.js';
import { SecretCard } from '../design/secret.view.js';
import { timeIn } from '../design/local-time.js';
import { type PersonRow } from '../../people/people.service.js';
import { type Frame } from './page-frame.service.js';

/** An invitation that was just made. */
export interface Invited {
  email: string;
  /** The address of the link; null: the person signs in already. */
  link: string | null;
}

/** @param origin by which the inviting person reached this process. */
export function invitedOf(email: string, token: string | null, origin: string): Invited {
  return { email: email.trim().toLowerCase(), link: token === null ? null : `${origin}/invite/${token}` };
}

/** The link of an invitation, which only this page shows. */
export function InvitedCard({ invited: { email, link } }: { invited: Invited }) {
  if (link === null) {
    return (
      <p class="notice" role="status">
        {email} is added, and signs in as before.
      </p>
    );
  }
  return (
    <SecretCard id="invited" title={`Invitation of ${email}`} secret={link}>
      Send this link to {email}. It works once, within {INVITED_HOURS} hours, and lets its reader choose the
      password of this person. It is not shown again.
    </SecretCard>
  );
}

/** Whether a person signs in: the last time, or the state of the invitation. */
export function SignIn({ frame: { zone, now }, person }: { frame: Frame; person: PersonRow }) {
  const { pending, lastSignInAt, invitedUntil } = person;
  if (!pending) return <>{lastSignInAt === null ? 'not yet' : timeIn(zone, lastSignInAt)}</>;
  if (invitedUntil === null || invitedUntil <= now) return <Badge mood="warn">invitation expired</Badge>;
  return (
    <>
      <Badge>invited</Badge> until {timeIn(zone, invitedUntil)}
    </>
  );
}
