import { type ClientBase, DatabaseError, escapeIdentifier } from 'pg';

/**
 * The role to which row-level security applies (docs/decisions/row-level-security.md), as the migrations make
 * it.
 */
export const RESTRICTED_ROLE = 'outdial_app';

/** Postgres does not let the connection act as its role. */
export class RoleRefusedError extends Error {
  override name = 'RoleRefusedError';
}

/** SQLSTATEs of a role that does not exist, and of a role that the user may not act as. */
const REFUSED = ['22023', '42501'];

/** @throws RoleRefusedError, or the driver's error when the connection was lost. */
export async function takeRole(client: ClientBase, role: string): Promise<void> {
  try {
    await client.query(`SET ROLE ${escapeIdentifier(role)}`);
  } catch (error) {
    throw refusalOf(error, role);
  }
}

/**
 * The error of a failed attempt to act as `role`: a {@link RoleRefusedError} if Postgres refused it, else the
 * error itself.
 */
export function refusalOf(error: unknown, role: string): unknown {
  if (!(error instanceof DatabaseError) || !REFUSED.includes(error.code ?? '')) return error;
  return new RoleRefusedError(`Postgres refuses the role ${role}: ${error.message}`, { cause: error });
}
