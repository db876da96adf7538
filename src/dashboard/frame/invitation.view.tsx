import { Badge } from './controls.js';
import { SecretCard } from '../design/secret.view.js';
import { type Operator, type SentLink } from '../../people/people.service.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from './page-frame.service.js';

/** An invitation that was just made. */
export interface Invited extends Pick<SentLink, 'link' | 'sent'> {
  email: string;
}

/** The link of an invitation, which only this page shows. */
export function InvitedCard({ invited: { email, link, sent } }: { invited: Invited }) {
  return (
    <SecretCard id="invited" title={`Invitation of ${email}`} secret={link}>
      {sent ? `It was sent to ${email}. ` : `Send this link to ${email}. `}
      It works once, within a day, and is not shown again.
    </SecretCard>
  );
}

/** The last sign-in of a person, or the end of the invitation. */
export function SignIn({ frame: { zone }, person }: { frame: Frame; person: Operator }) {
  const { invited, lastSignInAt, expiresAt } = person;
  if (!invited || expiresAt === null)
    return <>{lastSignInAt === null ? 'not yet' : <Instant zone={zone} at={lastSignInAt} />}</>;
  return (
    <>
      <Badge>invited</Badge> until <Instant zone={zone} at={expiresAt} />
    </>
  );
}
