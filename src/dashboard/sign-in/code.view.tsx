import { PostForm } from '../frame/controls.js';
import { type PageRequest } from '../frame/form.js';
import { CodeField, PlainPage, Refusal } from './plain-page.view.js';

interface CodePageProps {
  request: PageRequest;
  /** The page to which the person is led. */
  back: string;
  /** Why the form was refused. */
  refusal?: string | null;
  /** Why the code was refused. */
  fault?: string | null;
}

/** The second step of a sign-in. */
export function CodePage({ request, back, refusal = null, fault = null }: CodePageProps) {
  return (
    <PlainPage request={request} title="Code">
      <section class="card">
        <h1>Enter your code</h1>
        <Refusal>{refusal}</Refusal>
        <PostForm frame={{ request }} action="/login/code" back={back}>
          <CodeField fault={fault} />
          <button class="main">Sign in</button>
        </PostForm>
        <p class="soft small">
          The code must arrive within five minutes of the password. Authenticator and recovery codes are lost?
          Whoever runs Outdial can turn your second factor off.
        </p>
      </section>
    </PlainPage>
  );
}
