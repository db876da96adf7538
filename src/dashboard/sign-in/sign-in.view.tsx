import { PostForm } from '../frame/controls.js';
import { type PageRequest } from '../frame/form.js';
import { Field, PlainPage, Refusal } from './plain-page.view.js';

interface SignInPageProps {
  request: PageRequest;
  /** The page to which the person is led. */
  back: string;
  email?: string;
  /** Why the form was refused. */
  refusal?: string | null;
  /** Whether people can sign in at an OpenID provider, too. */
  hasProvider: boolean;
  /** Whether links for a new password are sent. */
  sendsLinks: boolean;
  /** Whether the browser will not send the session's cookie back. */
  losesCookies: boolean;
}

export function SignInPage(props: SignInPageProps) {
  const { request, back, email = '', refusal = null, hasProvider, sendsLinks, losesCookies } = props;
  return (
    <PlainPage request={request} title="Sign in">
      <section class="card">
        <h1>Sign in</h1>
        {losesCookies && (
          <p class="notice warn" role="alert" id="plain-http">
            This page came without encryption (http), so your browser will not keep you signed in. Open it at
            an https address, or on the machine itself at http://localhost.
          </p>
        )}
        <Refusal>{refusal}</Refusal>
        <PostForm frame={{ request }} action="/login" back={back}>
          <Field label="E-mail" name="email" type="email" autocomplete="username" value={email} />
          <Field label="Password" name="password" type="password" autocomplete="current-password" />
          <button class="main">Sign in</button>
        </PostForm>
        {hasProvider && (
          <p>
            <a class="button" id="openid" href={`/login/oidc?${new URLSearchParams({ back }).toString()}`}>
              Sign in with your organization
            </a>
          </p>
        )}
        {sendsLinks ? (
          <>
            <p>
              <a href="/login/forgotten">Forgot your password?</a>
            </p>
            <p class="soft small">No account? An admin of your team invites people.</p>
          </>
        ) : (
          <p class="soft small">
            No account, or the password is lost? An admin of your team invites people; an operator of the
            platform makes a link for a new password.
          </p>
        )}
      </section>
    </PlainPage>
  );
}
