import { type Operator } from '../../people/people.service.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { TextRow } from '../design/form-field.view.js';
import { Badge, Hidden, PostForm, Question } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { type Invited, InvitedCard, SignIn } from '../frame/invitation.view.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';

interface Operators {
  operators: readonly Operator[];
  /** As it was typed. */
  email: string;
  errors: FieldErrors;
  invited: Invited | null;
}

export function operatorsPage(frame: Frame, { operators, email, errors, invited }: Operators) {
  return (
    <Layout frame={frame} section="operators" title="Operators">
      <h1>Operators</h1>
      <ErrorSummary title="Nobody was invited." errors={errors} />
      {invited !== null && <InvitedCard invited={invited} />}
      <p class="soft">
        Operators see and change every team and the platform. People of a single team are invited on the
        team’s page of members.
      </p>
      <section class="card" id="operators">
        <table class="stack">
          <thead>
            <tr>
              <th>E-mail</th>
              <th>Last sign-in</th>
              <th>
                <Hidden>Changes</Hidden>
              </th>
            </tr>
          </thead>
          {operators.map((operator) => (
            <OperatorLine frame={frame} operator={operator} />
          ))}
        </table>
      </section>
      <section class="card" id="invite">
        <h2>Invite an operator</h2>
        <PostForm frame={frame} action="/platform/operators">
          <TextRow
            name="email"
            type="email"
            label="E-mail"
            hint="The person signs in with this address. Who signs in already accepts the invitation as the person that they are."
            value={email}
            error={errors.email}
            required
          />
          <button class="main">Invite</button>
        </PostForm>
      </section>
    </Layout>
  );
}

function OperatorLine({ frame, operator }: { frame: Frame; operator: Operator }) {
  const { userId, email, invited } = operator;
  return (
    <tr data-operator={userId}>
      <td>
        <b>{email}</b> {userId === frame.request.viewer?.userId && <Badge>you</Badge>}
      </td>
      <td data-name="Last sign-in">
        <SignIn frame={frame} person={operator} />
      </td>
      <td>
        <div class="choices">
          {invited && (
            <PostForm frame={frame} action="/platform/operators">
              <input type="hidden" name="email" value={email} />
              <button aria-label={`New link for ${email}`}>New link</button>
            </PostForm>
          )}
          <Question
            frame={frame}
            action={`/platform/operators/${userId}/remove`}
            what={
              <>
                Remove<Hidden> {email}</Hidden>
              </>
            }
            answer={`Yes, ${email} is no longer an operator`}
          >
            {invited
              ? 'The link of the invitation no longer works.'
              : 'The person is signed out, loses the pages of the platform at once, and keeps memberships of teams.'}
          </Question>
        </div>
      </td>
    </tr>
  );
}
