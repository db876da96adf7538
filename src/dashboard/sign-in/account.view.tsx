import { type Viewer } from '../../people/viewer.js';
import { PostForm } from '../frame/controls.js';
import { type PageRequest } from '../frame/form.js';
import { Field, NewPasswordField, PlainPage, Refusal } from './plain-page.view.js';
import { SECOND_FACTOR } from './second-factor.view.js';
import { TeamLinks } from './start.view.js';
import { TextRow } from '../design/form-field.view.js';
import { ZONES_LIST, ZonesList } from '../design/zones-list.view.js';

/** The notices of the page's forms. */
const NOTICES = new Map([
  ['passwordchanged', 'Your password is changed, and every other browser is signed out.'],
  ['zonechanged', 'Your time zone is saved.'],
  ['disconnected', 'Your account is no longer connected, and every other browser is signed out.'],
  ['connected', 'From now on you can sign in with your organization.'],
]);

interface AccountPageProps {
  request: PageRequest;
  viewer: Viewer;
  hasPassword: boolean;
  /** Whether the person can sign in at the OpenID provider; null: there is none. */
  isConnected: boolean | null;
  faults?: AccountFaults;
  /** The zone as it was typed; undefined: the stored one. */
  timezone?: string | null;
}

/** Why a form was refused, as a whole or at a field. */
export interface AccountFaults {
  form: string | null;
  current: string | null;
  password: string | null;
  timezone: string | null;
  openid: string | null;
  openidPassword: string | null;
}

export const NO_FAULTS: AccountFaults = {
  form: null,
  current: null,
  password: null,
  timezone: null,
  openid: null,
  openidPassword: null,
};

/** A person's own account. */
export function AccountPage(props: AccountPageProps) {
  const { request, viewer, hasPassword, isConnected, faults = NO_FAULTS } = props;
  const { timezone = viewer.timezone } = props;
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
      <section class="card" id="times">
        <h2>Times</h2>
        <PostForm frame={{ request }} action="/account/timezone">
          <TextRow
            name="timezone"
            label="Your time zone"
            hint="Pages show times in this zone, such as Europe/Berlin. Empty: in the zone of each team."
            value={timezone ?? ''}
            list={ZONES_LIST}
            error={faults.timezone ?? undefined}
          />
          <ZonesList />
          <button>Save</button>
        </PostForm>
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
          <Refusal>{faults.openid}</Refusal>
          {isConnected ? (
            <Disconnect request={request} hasPassword={hasPassword} fault={faults.openidPassword} />
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

interface DisconnectProps {
  request: PageRequest;
  hasPassword: boolean;
  fault: string | null;
}

/** Who has no password could not sign in any more. */
function Disconnect({ request, hasPassword, fault }: DisconnectProps) {
  if (!hasPassword)
    return (
      <p>
        Your account is connected, and you have no password. To disconnect it, first ask an operator for a
        link to choose one.
      </p>
    );
  return (
    <>
      <p>Your account is connected. After you disconnect it, you sign in with your password only.</p>
      <PostForm frame={{ request }} action="/account/oidc/disconnect">
        <Field
          label="Password"
          name="password"
          id="openid-password"
          type="password"
          autocomplete="current-password"
          fault={fault}
        />
        <button class="danger">Disconnect</button>
      </PostForm>
    </>
  );
}
