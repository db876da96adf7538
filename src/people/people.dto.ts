import { type TeamRole } from '../domain/permissions.js';

interface PersonRow {
  userId: string;
  email: string;
  /** Whether the person has not accepted yet. */
  invited: boolean;
  since: Date;
  lastSignInAt: Date | null;
  /** Of the invitation's link; null: the person has accepted. */
  expiresAt: Date | null;
}

/** A member of a team, or a person whose invitation to it is open. */
export interface Member extends PersonRow {
  role: TeamRole;
}

/** An operator, or a person whose invitation to be one is open. */
export type Operator = PersonRow;

/** A person with all roles. */
export interface UserResource {
  id: string;
  email: string;
  operator: boolean;
  /** Whether the person can sign in: has chosen a password, or signed in at the OpenID provider. */
  hasAccount: boolean;
  createdAt: Date;
  lastSignInAt: Date | null;
  memberships: { teamId: string; team: string; role: TeamRole }[];
}
