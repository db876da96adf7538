/** What a person may be in a team, from the least to the most. */
export const TEAM_ROLES = ['viewer', 'manager', 'admin'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** `operator` is above every role of every team. */
export type Role = TeamRole | 'operator';

/**
 * The one table of permissions: what an action needs at least. Pages, the operator's and the team's HTTP routes and
 * the documentation read it.
 */
export const PERMISSIONS = {
  /** Pages and lists of a team, and their exports. */
  read: 'viewer',
  /** Place, cancel, hang up and resolve calls. */
  'calls.change': 'manager',
  /** Add, change and erase people. */
  'contacts.change': 'manager',
  /** Campaigns, their versions and their enrollments. */
  'campaigns.change': 'manager',
  'agents.change': 'manager',
  /** Number pools. Numbers themselves are the operator's. */
  'pools.change': 'manager',
  'imports.change': 'manager',
  /** Do Not Call and consents. */
  'suppressions.change': 'manager',
  /** Pause, stop and resume a team. */
  'team.stop': 'manager',
  /** The settings of a team. */
  'settings.change': 'admin',
  /** API keys: to see them, to make and to revoke them. */
  keys: 'admin',
  /** Members: to see them, to invite and to remove them. */
  members: 'admin',
  'webhooks.change': 'admin',
  'audit.read': 'admin',
  'numbers.change': 'operator',
  /** Teams themselves, and what the operator limits for them, such as the whitelist. */
  teams: 'operator',
  /** The platform's pages, and lists across teams. */
  'platform.read': 'operator',
  /** Pause, stop and resume the platform, and its settings. */
  'platform.change': 'operator',
  operators: 'operator',
} as const satisfies Record<string, Role>;

export type Permission = keyof typeof PERMISSIONS;

const RANK: Record<Role, number> = { viewer: 0, manager: 1, admin: 2, operator: 3 };

/** @param role of a person in the team that is acted on, or `operator`; null: none. */
export function mayDo(role: Role | null, permission: Permission): boolean {
  return role !== null && RANK[role] >= RANK[PERMISSIONS[permission]];
}
