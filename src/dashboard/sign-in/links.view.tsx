import { type OpenLink } from '../../people/links.service.js';
import { address } from '../design/address.js';
import { PostForm } from '../frame/controls.js';
import { type PageRequest } from '../frame/form.js';
import { Field, NewPasswordField, PlainPage } from './plain-page.view.js';
import { roleText } from './role-text.js';

/** A link that does not exist, was used, or has expired: which of these is not told. */
export function InvalidLinkPage({
  request,
  kind,
}: {
  request: PageRequest;
  kind: 'welcome' | 'invite' | 'reset';
}) {
  return (
    <PlainPage request={request} title="This link is not valid">
      <section class="card">
        <h1>This link is not valid</h1>
        <p>
          A link works once, and for {kind === 'welcome' ? 'an hour, while there is no operator' : 'a day'}.
          This one was used, has expired, or was replaced by a newer one.
        </p>
        <p>{NEXT[kind]}</p>
        <p>
          {request.viewer === null ? <a href="/login">Sign in</a> : <a href="/start">To the beginning</a>}
        </p>
      </section>
    </PlainPage>
  );
}

const NEXT = {
  welcome:
    'If there is no operator yet, npm start prints a new link, and npm run cli -- user create makes one.',
  invite: 'If you have not joined yet, ask the person who invited you for a new link.',
  reset: 'If you have no new password yet, ask an operator for a new link.',
} as const;

interface WelcomePageProps {
  request: PageRequest;
  action: string;
  email?: string;
  faults?: { email: string | null; password: string | null };
}

const NO_FAULTS = { email: null, password: null };

export function WelcomePage({ request, action, email = '', faults = NO_FAULTS }: WelcomePageProps) {
  return (
    <PlainPage request={request} title="Welcome">
      <section class="card">
        <h1>Welcome to Outdial</h1>
        <p>
          You are the first person here, so you become its operator: you see all teams, and invite everybody
          else. Choose how you sign in.
        </p>
        <PostForm frame={{ request }} action={action}>
          <Field
            label="E-mail"
            name="email"
            type="email"
            autocomplete="username"
            value={email}
            fault={faults.email}
          />
          <NewPasswordField fault={faults.password} />
          <button class="main">Begin</button>
        </PostForm>
      </section>
    </PlainPage>
  );
}

interface LinkPageProps {
  request: PageRequest;
  action: string;
  link: OpenLink;
  fault?: string | null;
}

export function ResetPage({ request, action, link, fault = null }: LinkPageProps) {
  return (
    <PlainPage request={request} title="New password">
      <section class="card">
        <h1>Choose a new password</h1>
        <p>
          For <b>{link.email}</b>. You are then signed in here, and signed out in every other browser.
        </p>
        <PostForm frame={{ request }} action={action}>
          <UserName email={link.email} />
          <NewPasswordField fault={fault} />
          <button class="main">Change password</button>
        </PostForm>
      </section>
    </PlainPage>
  );
}

/** The invitation of a new person, who chooses a password; or of a known one, who is signed in to accept it. */
export function InvitePage({ request, action, link, fault = null }: LinkPageProps) {
  return (
    <PlainPage request={request} title="Invitation">
      <section class="card">
        <h1>{link.team === null ? 'Operate Outdial' : `Join ${link.team}`}</h1>
        <p>
          <b>{link.email}</b> is invited as {roleText(link.role)}.
        </p>
        {link.hasAccount ? (
          <Accept request={request} action={action} link={link} />
        ) : (
          <PostForm frame={{ request }} action={action}>
            <UserName email={link.email} />
            <NewPasswordField fault={fault} />
            <button class="main">Join</button>
          </PostForm>
        )}
      </section>
    </PlainPage>
  );
}

function Accept({ request, action, link }: LinkPageProps) {
  if (request.viewer === null) {
    return (
      <p>
        <a href={address('/login', { back: action })}>Sign in to accept</a>
      </p>
    );
  }
  if (request.viewer.userId !== link.userId) {
    return (
      <>
        <p>You are signed in as {request.viewer.email}. Sign out, and open the link again.</p>
        <PostForm frame={{ request }} action="/logout">
          <button>Sign out</button>
        </PostForm>
      </>
    );
  }
  return (
    <PostForm frame={{ request }} action={action}>
      <button class="main">Accept</button>
    </PostForm>
  );
}

/** Tells password managers whose password it is. */
function UserName({ email }: { email: string | null }) {
  return <input type="email" name="username" value={email ?? ''} autocomplete="username" hidden readOnly />;
}
