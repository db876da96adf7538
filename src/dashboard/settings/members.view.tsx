import { TEAM_ROLES, type TeamRole } from '../../domain/permissions.js';
import { type Member } from '../../people/people.service.js';
import { ErrorSummary } from '../design/error-summary.view.js';
import { FieldGroup, Checks, TextRow } from '../design/form-field.view.js';
import { Badge, Hidden, PostForm, Question } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { type Invited, InvitedCard, SignIn } from '../frame/invitation.view.js';
import { type Frame } from '../frame/page-frame.service.js';
import { SettingsPage } from './settings-page.view.js';

/** What was typed into the form of an invitation. */
export interface TypedInvitation {
  email: string;
  role: string;
}

export const INVITATION_LABELS = { email: 'E-mail', role: 'Role' };

const MEANINGS: Record<TeamRole, string> = {
  viewer: 'reads everything of the team, phone numbers too, but no secrets',
  manager: 'also agents, campaigns, contacts, imports, Do Not Call; cancels and resolves calls',
  admin: 'also settings, API keys, members and webhooks',
};

interface Members {
  members: readonly Member[];
  typed: TypedInvitation;
  errors: FieldErrors;
  invited: Invited | null;
}

export function membersPage(frame: Frame, { members, typed, errors, invited }: Members) {
  const action = `${frame.base}/settings/members`;
  const signedIn = members.filter(({ invited: isInvited }) => !isInvited);
  const pending = members.filter((member) => member.invited);
  return (
    <SettingsPage frame={frame} page="members" title="Members">
      <ErrorSummary title="Nobody was invited." errors={errors} />
      {invited !== null && <InvitedCard invited={invited} />}
      <section class="card" id="members">
        {signedIn.length === 0 ? (
          <p>Nobody of the team has signed in yet. Operators see every team.</p>
        ) : (
          <MemberTable frame={frame} members={signedIn} state="Last sign-in" />
        )}
      </section>
      {pending.length > 0 && (
        <section class="card" id="pending">
          <h2>Pending invitations</h2>
          <MemberTable frame={frame} members={pending} state="Invitation" />
        </section>
      )}
      <section class="card" id="invite">
        <h2>Invite a person</h2>
        <PostForm frame={frame} action={action}>
          <TextRow
            name="email"
            type="email"
            label={INVITATION_LABELS.email}
            hint="The person signs in with this address."
            value={typed.email}
            error={errors.email}
            required
          />
          <RoleGroup chosen={typed.role} error={errors.role} />
          <button class="main">Invite</button>
        </PostForm>
      </section>
    </SettingsPage>
  );
}

function RoleGroup({ chosen, error }: { chosen: string; error?: string }) {
  const checks = TEAM_ROLES.map((role) => ({ value: role, label: role, meaning: MEANINGS[role] }));
  return (
    <FieldGroup name="role" label={INVITATION_LABELS.role} error={error}>
      <Checks type="radio" name="role" checks={checks} chosen={[chosen]} />
    </FieldGroup>
  );
}

interface MemberTableProps {
  frame: Frame;
  members: readonly Member[];
  /** The title of the column of sign-ins and invitations. */
  state: string;
}

function MemberTable({ frame, members, state }: MemberTableProps) {
  return (
    <table class="stack">
      <thead>
        <tr>
          <th>E-mail</th>
          <th>Role</th>
          <th>{state}</th>
          <th>
            <Hidden>Changes</Hidden>
          </th>
        </tr>
      </thead>
      {members.map((member) => (
        <MemberLine frame={frame} member={member} />
      ))}
    </table>
  );
}

function MemberLine({ frame, member }: { frame: Frame; member: Member }) {
  const { userId, email, role, invited } = member;
  const path = `${frame.base}/settings/members/${userId}`;
  const isViewer = userId === frame.request.viewer?.userId;
  return (
    <tr data-member={userId}>
      <td>
        <b>{email}</b> {isViewer && <Badge>you</Badge>}
      </td>
      <td data-name="Role">{role}</td>
      <td data-name={invited ? 'Invitation' : 'Last sign-in'}>
        <SignIn frame={frame} person={member} />
      </td>
      <td>
        <div class="choices">
          {invited ? (
            <PostForm frame={frame} action={`${frame.base}/settings/members`}>
              <input type="hidden" name="email" value={email} />
              <input type="hidden" name="role" value={role} />
              <button aria-label={`New link for ${email}`}>New link</button>
            </PostForm>
          ) : (
            <RoleChange frame={frame} member={member} />
          )}
          <Question
            frame={frame}
            action={`${path}/remove`}
            what={
              <>
                Remove<Hidden> {email}</Hidden>
              </>
            }
            answer={`Yes, remove ${email}`}
          >
            {invited
              ? 'The link of the invitation no longer works.'
              : 'The person is signed out, loses the pages of this team, and keeps other teams. Keys and calls that the person made stay.'}
          </Question>
        </div>
      </td>
    </tr>
  );
}

function RoleChange({ frame, member: { userId, email, role } }: { frame: Frame; member: Member }) {
  return (
    <details>
      <summary>
        Change role<Hidden> of {email}</Hidden>…
      </summary>
      <p class="soft small">The person is signed out, and has the new role after the next sign-in.</p>
      <PostForm frame={frame} action={`${frame.base}/settings/members/${userId}/role`}>
        <label>
          Role
          <select name="role">
            {TEAM_ROLES.map((one) => (
              <option value={one} selected={one === role}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <p>
          <button class="main">Change role</button>
        </p>
      </PostForm>
    </details>
  );
}
