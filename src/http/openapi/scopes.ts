import { scopesText, type ScopeRule } from '../../domain/key-scopes.js';
import { SECURITY } from './components.js';
import { errorDoc } from './errors.js';
import { type OperationDoc, type ResponseDoc, type Surface } from './operation.js';

/** A sentence for the description of an operation. */
export function scopeText(rule: ScopeRule): string | undefined {
  if (rule.length === 0) return undefined;
  return `Needs the scope ${scopesText(rule.map((group) => group.map((scope) => `\`${scope}\``)))}.`;
}

/**
 * The credentials of a route. Each entry is one way to be admitted. As OpenAPI 3.1 allows, an entry names the
 * scopes that a bearer token needs.
 */
export function securityOf(surface: Surface, rule: ScopeRule): Record<string, string[]>[] {
  const ways = rule.reduce<string[][]>(
    (before, group) => before.flatMap((way) => group.map((scope) => [...way, scope])),
    [[]],
  );
  return rule.length === 0 ? SECURITY[surface] : ways.map((teamKey) => ({ teamKey }));
}

/** Adds the 403 for a key without the scope. If the route has another 403, the two are merged. */
export function withScopeRefusal(
  { ownScope, refusals = {} }: Pick<OperationDoc, 'ownScope' | 'refusals'>,
  rule: ScopeRule,
): Record<number, ResponseDoc> {
  if (rule.length === 0 || ownScope !== undefined) return refusals;
  const lacking = errorDoc(
    'The API key lacks a scope that the operation needs.',
    `The API key lacks the scope ${scopesText(rule)}`,
  );
  const other = refusals[403];
  if (other === undefined) return { ...refusals, 403: lacking };
  const both = {
    ...other,
    description: `${other.description} ${lacking.description}`,
    examples: { ...other.examples, ...lacking.examples },
  };
  return { ...refusals, 403: both };
}
