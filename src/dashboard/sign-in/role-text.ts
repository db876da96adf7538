import { type Role } from '../../domain/permissions.js';

const TEXTS: Record<Role, string> = {
  viewer: 'a viewer, who reads',
  manager: 'a manager of agents, campaigns, contacts and calls',
  admin: 'an admin, who may change everything in the team',
  operator: 'an operator of the platform, who may change everything in every team',
};

/** What a role is, within a sentence. */
export const roleText = (role: Role | null): string => (role === null ? '' : TEXTS[role]);
