import { type PageRequest } from '../frame/form.js';
import { PlainPage } from './plain-page.view.js';

const REFUSED =
  'You could not be signed in. Only people who are invited can sign in with their organization; an admin of your team can invite you.';

/** The answer to every sign-in at the provider that was refused. It does not tell why. */
export function SignInRefusedPage({ request, text = REFUSED }: { request: PageRequest; text?: string }) {
  return (
    <PlainPage request={request} title="Not signed in">
      <section class="card">
        <h1>Not signed in</h1>
        <p role="alert">{text}</p>
        <Again request={request} />
      </section>
    </PlainPage>
  );
}

export function ProviderAwayPage({ request }: { request: PageRequest }) {
  return (
    <PlainPage request={request} title="Your organization does not answer">
      <section class="card">
        <h1>Your organization does not answer</h1>
        <p role="alert">Its sign-in cannot be reached at the moment. Try again in a minute.</p>
        <Again request={request} />
      </section>
    </PlainPage>
  );
}

/** Leads from a form to the provider. */
export function LeadingPage({ request, url }: { request: PageRequest; url: string }) {
  return (
    <PlainPage request={request} title="Connect your organization">
      <section class="card">
        <h1>Connect your organization</h1>
        <p>
          <a href={url}>Go on to your organization’s sign-in</a>
        </p>
      </section>
    </PlainPage>
  );
}

function Again({ request }: { request: PageRequest }) {
  return (
    <p>
      {request.viewer === null ? (
        <a href="/login">Back to sign-in</a>
      ) : (
        <a href="/account">Back to your account</a>
      )}
    </p>
  );
}
