import { MIGRATION_NAMES } from './migrations.js';

const LAST_MIGRATION = /\d+$/.exec(MIGRATION_NAMES.at(-1) ?? '')?.[0] ?? '0';

/**
 * `application_name` of a session: the program, and the last migration that it was built with, so that a
 * migration can list the connected versions.
 */
export function sessionName(program = 'outdial'): string {
  return `${program} ${LAST_MIGRATION}`;
}
