/**
 * What an API key can be limited to: reading and changing one resource, or reading every resource (`read`).
 */
export const KEY_SCOPES = [
  'calls',
  'contacts',
  'enrollments',
  'campaigns',
  'agents',
  'suppressions',
  'webhooks',
  'imports',
  'read',
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
export type ResourceScope = Exclude<KeyScope, 'read'>;

/** All scopes of a key. @param stored null is every scope. */
export function scopesOf(stored: readonly string[] | null): KeyScope[] {
  return KEY_SCOPES.filter((scope) => stored === null || stored.includes(scope));
}

/**
 * The scopes that a route requires of a key: at least one scope of each group. A rule without groups admits
 * every key.
 */
export type ScopeRule = readonly (readonly KeyScope[])[];

/** The rule of a route that changes something: a key needs every one of the scopes. */
export function toChange(...scopes: ResourceScope[]): ScopeRule {
  return scopes.map((scope) => [scope]);
}

/** The rule of a route that only reads: a key needs one of the scopes, or `read`. */
export function toRead(...scopes: ResourceScope[]): ScopeRule {
  return [[...scopes, 'read']];
}

/**
 * The groups of a rule that a key lacks, as text: `calls or read`, `contacts and enrollments`; null if the
 * key lacks no group.
 *
 * @param scopes of the key; null is all.
 */
export function missingScope(rule: ScopeRule, scopes: readonly string[] | null): string | null {
  if (scopes === null) return null;
  const missing = rule.filter((group) => !group.some((scope) => scopes.includes(scope)));
  return missing.length === 0 ? null : scopesText(missing);
}

/** A rule as text; a rule without groups is the empty string. */
export function scopesText(rule: readonly (readonly string[])[]): string {
  return rule.map((group) => group.join(' or ')).join(' and ');
}
