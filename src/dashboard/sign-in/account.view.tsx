import { type Viewer } from '../../people/viewer.js';
import { PostForm } from '../frame/controls.js';
import { type PageRequest } from '../frame/form.js';
import { Field, NewPasswordField, PlainPage, Refusal } from './plain-page.view.js';
import { SECOND_FACTOR } from './second-factor.view.js';
import { TeamLinks } from './start.view.js';

/** The notices of the page's forms. */
const NOTICES = new Map([
  ['passwordchanged', 'Your password is changed, and every other browser is signed out.'],
  ['connected', 'From now on you can sign in with your organization.'],
]);

interface AccountPageProps {
  request: PageRequest;
  viewer: Viewer;
  hasPassword: boolean;
  /** Whether the person can sign in at the OpenID provider; null: there is none. */
  isConnected: boolean | null;
  faults?: { form: string | null; current: string | null; password: string | null };
}

const NO_FAULTS = { form: null, current: null, password: null };

/** A person's own account. */
export function AccountPage(props: AccountPageProps) {
  const { request, viewer, hasPassword, isConnected, faults = NO_FAULTS } = props;
  const done = NOTICES.get(request.notice ?? '');
  return (
    <PlainPage request={request} title="Your account">
      {done !== undefined && (
        <p class="notice" role="status">
          {done}
        </p>
      )}
      <h1>{viewer.email}</h1>
      {viewer.operator && (
        <p>
          <span class="state good">operator</span> of <a href="/platform">the platform</a>
        </p>
      )}
      <section class="card" id="teams">
        <h2>Your teams</h2>
        <TeamLinks viewer={viewer} />
      </section>
      {hasPassword && (
        <section class="card" id="password-form">
          <h2>Change your password</h2>
          <Refusal>{faults.form}</Refusal>
          <PostForm frame={{ request }} action="/account/password">
            <input
              type="email"
              name="username"
              value={viewer.email}
              autocomplete="username"
              hidden
              readOnly
            />
            <Field
              label="Password now"
              name="current"
              type="password"
              autocomplete="current-password"
              fault={faults.current}
            />
            <NewPasswordField fault={faults.password} />
            <button class="main">Change password</button>
          </PostForm>
        </section>
      )}
      <section class="card" id="second-factor">
        <h2>Second factor</h2>
        <p>Sign-in can ask for a code of an authenticator after your password.</p>
        <p>
          <a href={SECOND_FACTOR}>See your second factor</a>
        </p>
      </section>
      {isConnected !== null && (
        <section class="card" id="openid">
          <h2>Sign in with your organization</h2>
          {isConnected ? (
            <p>Your account is connected.</p>
          ) : (
            <>
              <p>Connect your account, to sign in without a password from now on.</p>
              <PostForm frame={{ request }} action="/account/oidc">
                <button>Connect</button>
              </PostForm>
            </>
          )}
        </section>
      )}
      <section class="card" id="sessions">
        <h2>Sign out everywhere</h2>
        <p>
          This ends your sessions in all browsers, this one included. A session also ends after 12 hours
          without a request, and after 14 days.
        </p>
        <PostForm frame={{ request }} action="/logout/everywhere">
          <button class="danger">Sign out everywhere</button>
        </PostForm>
      </section>
    </PlainPage>
  );
}
