import { PostForm } from '../frame/controls.js';
import { type PageRequest } from '../frame/form.js';
import { Field, PlainPage, Refusal } from './plain-page.view.js';

interface ForgottenPageProps {
  request: PageRequest;
  email?: string;
  /** Why the form was refused as a whole. */
  refusal?: string | null;
  fault?: string | null;
}

/** Asks for the address to which a link for a new password is sent. */
export function ForgottenPage({ request, email = '', refusal = null, fault = null }: ForgottenPageProps) {
  return (
    <PlainPage request={request} title="Forgot your password?">
      <section class="card">
        <h1>Forgot your password?</h1>
        <p>Type the address with which you sign in. A link to choose a new password is sent there.</p>
        <Refusal>{refusal}</Refusal>
        <PostForm frame={{ request }} action="/login/forgotten">
          <Field
            label="E-mail"
            name="email"
            type="email"
            autocomplete="username"
            value={email}
            fault={fault}
          />
          <button class="main">Send the link</button>
        </PostForm>
        <p>
          <a href="/login">Back to sign-in</a>
        </p>
      </section>
    </PlainPage>
  );
}

/** The answer for every address. */
export function LinkSentPage({ request, email }: { request: PageRequest; email: string }) {
  return (
    <PlainPage request={request} title="Check your e-mail">
      <section class="card" id="link-sent">
        <h1>Check your e-mail</h1>
        <p role="status">
          If an account with a password exists for {email}, a link to choose a new password is being sent to
          that address. The link works once, within a day.
        </p>
        <p class="soft">
          If the e-mail does not arrive, check the spam folder and try again after ten minutes. Accounts that
          sign in through an organization have no password here.
        </p>
        <p>
          <a href="/login">Back to sign-in</a>
        </p>
      </section>
    </PlainPage>
  );
}
