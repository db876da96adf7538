import { type ComponentChildren } from 'preact';
import { type OfferedSecret, type SecondFactorState } from '../../people/second-factor.service.js';
import { type Viewer } from '../../people/viewer.js';
import { QrCode } from '../design/qr-code.view.js';
import { SecretCard } from '../design/secret.view.js';
import { PostForm } from '../frame/controls.js';
import { type PageRequest } from '../frame/form.js';
import { CodeField, Field, PlainPage, Refusal } from './plain-page.view.js';

export const SECOND_FACTOR = '/account/second-factor';

/** The notices of the page's forms. */
const NOTICES = new Map([
  ['secondfactoroff', 'Your second factor is off: your password alone signs you in.'],
]);

/** The form that was refused, and why. */
export interface Refused {
  form: 'begin' | 'codes' | 'off';
  whole: string | null;
  field: string | null;
}

interface SecondFactorPageProps {
  request: PageRequest;
  viewer: Viewer;
  state: SecondFactorState;
  refused?: Refused;
}

/** Whether a person's sign-in needs a code, and the forms that change it. */
export function SecondFactorPage({ request, viewer, state, refused }: SecondFactorPageProps) {
  const done = NOTICES.get(request.notice ?? '');
  // Another request may have turned it on or off meanwhile, so that the form is not there any more.
  const isGone = refused !== undefined && state.isOn === (refused.form === 'begin') && state.refusal === null;
  const faultsOf = (form: Refused['form']) =>
    refused?.form === form ? refused : { whole: null, field: null };
  return (
    <Page request={request}>
      {done !== undefined && (
        <p class="notice" role="status">
          {done}
        </p>
      )}
      {isGone && <Refusal>{refused.whole ?? refused.field}</Refusal>}
      {state.isOn ? (
        <>
          <section class="card" id="second-factor">
            <h1>Second factor</h1>
            <p>
              <span class="state good">on</span> After your password, sign-in asks for a code of your
              authenticator, or for a recovery code.
            </p>
          </section>
          <section class="card" id="recovery-codes">
            <h2>Recovery codes</h2>
            <p>
              {leftText(state.recoveryCodes)} Each works once, in place of a code. New ones make the old ones
              void.
            </p>
            <Refusal>{faultsOf('codes').whole}</Refusal>
            <PostForm frame={{ request }} action={`${SECOND_FACTOR}/recovery-codes`} back={SECOND_FACTOR}>
              <CodeField id="codes-code" fault={faultsOf('codes').field} />
              <button>Make new recovery codes</button>
            </PostForm>
          </section>
          <section class="card" id="turn-off">
            <h2>Turn off</h2>
            <Refusal>{faultsOf('off').whole ?? faultsOf('off').field}</Refusal>
            <PostForm frame={{ request }} action={`${SECOND_FACTOR}/off`} back={SECOND_FACTOR}>
              <Password viewer={viewer} fault={null} />
              <CodeField id="off-code" fault={null} />
              <button class="danger">Turn off the second factor</button>
            </PostForm>
          </section>
        </>
      ) : (
        <section class="card" id="turn-on">
          <h1>Second factor</h1>
          <p>
            <span class="state">off</span> With a second factor, a stolen password is not enough: sign-in also
            asks for a code of an authenticator, an app on your phone or in your password manager.
          </p>
          {state.refusal !== null ? (
            <p class="notice warn" id="refusal">
              {state.refusal}.
            </p>
          ) : (
            <>
              <Refusal>{faultsOf('begin').whole}</Refusal>
              <PostForm frame={{ request }} action={SECOND_FACTOR} back={SECOND_FACTOR}>
                <Password viewer={viewer} fault={faultsOf('begin').field} />
                <button class="main">Begin</button>
              </PostForm>
            </>
          )}
        </section>
      )}
    </Page>
  );
}

interface OfferPageProps {
  request: PageRequest;
  offered: OfferedSecret;
  fault?: string | null;
}

/** The secret for the authenticator, and the code that confirms it. */
export function OfferPage({ request, offered, fault = null }: OfferPageProps) {
  const { secret, address, sealed } = offered;
  return (
    <Page request={request}>
      <section class="card" id="offer">
        <h1>Add Outdial to your authenticator</h1>
        <p>Scan this code with it, or type the secret below.</p>
        <QrCode text={address} label="The secret for your authenticator, as a QR code" />
        <output data-secret>{secret}</output>
        <PostForm frame={{ request }} action={`${SECOND_FACTOR}/confirm`} back={SECOND_FACTOR}>
          <input type="hidden" name="offered" value={sealed} />
          <CodeField hint="Then enter the six digits that it shows." fault={fault} />
          <button class="main">Turn on</button>
        </PostForm>
        <p class="soft small">Until then nothing changes. The secret is void after 15 minutes.</p>
      </section>
    </Page>
  );
}

/** The recovery codes, which this page shows and no other. */
export function RecoveryCodesPage({ request, codes }: { request: PageRequest; codes: readonly string[] }) {
  return (
    <Page request={request}>
      <h1>Your second factor is on</h1>
      <SecretCard
        id="new-recovery-codes"
        title="Your recovery codes"
        secret={codes.join('\n')}
        use={
          <p>
            <a href={SECOND_FACTOR}>I have kept them</a>
          </p>
        }
      >
        Each signs you in once if the authenticator is lost. Keep them where a thief of your password does not
        look: they are not shown again.
      </SecretCard>
    </Page>
  );
}

function Page({ request, children }: { request: PageRequest; children: ComponentChildren }) {
  return (
    <PlainPage request={request} title="Second factor">
      {children}
      <p>
        <a href="/account">Your account</a>
      </p>
    </PlainPage>
  );
}

function Password({ viewer, fault }: { viewer: Viewer; fault: string | null }) {
  return (
    <>
      <input type="email" name="username" value={viewer.email} autocomplete="username" hidden readOnly />
      <Field label="Password" name="password" type="password" autocomplete="current-password" fault={fault} />
    </>
  );
}

function leftText(count: number): string {
  if (count === 0) return 'None is left.';
  return count === 1 ? 'One is left.' : `${count} are left.`;
}
