import { Config } from '../../config/config.js';
import { TEAM_ROLES, type TeamRole } from '../../domain/permissions.js';
import { type Grant, PeopleService, type SentLink } from '../../people/people.service.js';
import { SecondFactorService } from '../../people/second-factor.service.js';
import { type UserResource } from '../../people/people.dto.js';
import { type Command, done, type Invocation, type Output } from '../command.js';
import { UsageError } from '../usage-error.js';

/** What programs and people read: the same JSON. */
const json = (value: object): Output => done(JSON.stringify(value, null, 2), value);

async function create(call: Invocation): Promise<Output> {
  const people = call.service(PeopleService);
  const email = call.arg('email');
  const grant = grantOf(call);
  if (call.flag('passwordStdin')) {
    return json(await people.create(grant, email, firstLine(await call.input())));
  }
  const origin = originOf(call);
  const { userId, ...link } =
    'operator' in grant
      ? await people.inviteOperator(email, origin)
      : await people.invite(grant.teamId, email, grant.role, origin);
  return json({ ...(await people.get(userId)), ...link });
}

/** @throws UsageError unless it is an operator, or a role in a team. */
function grantOf(call: Invocation): Grant {
  const [operator, role] = [call.flag('operator'), call.option('role')];
  if (operator === (call.teamId !== '') || operator === (role !== undefined)) {
    throw new UsageError('--operator is missing, or --team <team> and --role <role>: one of the two');
  }
  if (operator) return { operator };
  if (!isTeamRole(role)) throw new UsageError(`--role must be one of ${TEAM_ROLES.join(', ')}`);
  return { teamId: call.teamId, role };
}

const isTeamRole = (text: string | undefined): text is TeamRole => TEAM_ROLES.some((role) => role === text);

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

/** The beginning of links: where the API is reached, or its port on this machine. */
function originOf({ service }: Invocation): string {
  const { publicUrl, port } = service(Config);
  return publicUrl ?? `http://127.0.0.1:${port}`;
}

/** A user as a row of a table. */
const listed = (user: UserResource) => ({
  ...user,
  teams: user.memberships.map(({ team, role }) => `${team} (${role})`),
});

const sentText = ({ link, sent }: SentLink): string =>
  `${link}\nIt works once, within a day.${sent ? ' It was sent by e-mail, too.' : ''}`;

/** People who sign in to the dashboard. */
export const USER_COMMANDS: readonly Command[] = [
  {
    name: 'user create',
    summary: 'Invite a person as an operator or to a team, by a link that is printed; writes JSON',
    description:
      'With --password-stdin the person is made at once, with the password that the first line of standard input holds.',
    args: ['email'],
    links: true,
    options: {
      operator: { help: 'an operator of the platform' },
      team: { value: '<team>', help: 'the team, by its id or name' },
      role: { value: '<role>', help: `the role in the team: ${TEAM_ROLES.join(', ')}` },
      passwordStdin: { help: 'read the password from standard input, and print no link' },
    },
    run: create,
  },
  {
    name: 'user list',
    summary: 'List the people who sign in, with their roles',
    run: async ({ service }) => {
      const items = (await service(PeopleService).users()).map(listed);
      const columns = ['id', 'email', 'operator', 'teams', 'hasAccount', 'lastSignInAt'];
      return { kind: 'page', page: { items, nextCursor: null }, columns };
    },
  },
  {
    name: 'user reset',
    summary: 'Print a link with which a person chooses a new password',
    args: ['email'],
    links: true,
    run: async (call) => {
      const people = call.service(PeopleService);
      const link = await people.reset(await people.idOf(call.arg('email')), originOf(call));
      return done(sentText(link), link);
    },
  },
  {
    name: 'user reset-second-factor',
    summary: 'Turn off the second factor of a person who has lost it, and end all sessions',
    args: ['email'],
    run: async ({ service, arg }) => {
      const id = await service(PeopleService).idOf(arg('email'));
      const reset = await service(SecondFactorService).reset(id);
      const text = reset ? 'Turned off: the password alone signs the person in.' : 'It was off already.';
      return done(text, { id, reset });
    },
  },
  {
    name: 'user remove',
    summary: 'Remove a person with all roles, and end all sessions',
    args: ['email'],
    run: async ({ service, arg }) => {
      const people = service(PeopleService);
      const id = await people.idOf(arg('email'));
      await people.removeUser(id);
      return done('Removed: the person can no longer sign in.', { id, removed: true });
    },
  },
];
