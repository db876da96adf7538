import { type Role, type TeamRole } from '../domain/permissions.js';

/** The person whose session a request carries. */
export interface Viewer {
  userId: string;
  email: string;
  operator: boolean;
  /** The zone in which the person reads times; null: the zone of each team. */
  timezone: string | null;
  /** The team whose pages the person saw last, which may no longer be one of the person's; null: none. */
  lastTeamId: string | null;
  /** By team, in the order of the teams' names. Of an operator, too, where the operator is a member. */
  memberships: readonly { teamId: string; team: string; role: TeamRole }[];
  /** Binds the tokens of forms to the session. Not the token of the cookie. */
  formKey: string;
}

/** What the viewer is in a team; null: the team is not the viewer's. */
export function roleIn(viewer: Viewer, teamId: string): Role | null {
  if (viewer.operator) return 'operator';
  return viewer.memberships.find((membership) => membership.teamId === teamId)?.role ?? null;
}
