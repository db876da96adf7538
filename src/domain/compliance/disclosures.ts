import { type ComplianceCase } from './compliance-case.js';
import { judge } from './judge.js';

/** A sentence that must be said in a call. */
export interface Disclosure {
  /** The id of the rule that requires it. */
  id: string;
  text: string;
}

/** A placeholder of templates, which gives way to a variable of that name. */
const PLACEHOLDER = 'disclosures';
const PLACED = /\{\{\s*disclosures\s*(?:\|[^}]*)?\}\}/;

/** What must be said in a call at `now`, each sentence once. */
export function disclosuresOf(one: ComplianceCase | null, now: Date): readonly Disclosure[] {
  if (one === null) return [];
  const said = new Set<string>();
  return judge(one, now).disclosures.flatMap(({ id, texts }) => {
    const text = texts.en ?? '';
    if (said.has(text)) return [];
    said.add(text);
    return [{ id, text }];
  });
}

/** The variables with which templates are rendered. */
export function withDisclosures(
  variables: Record<string, unknown>,
  disclosures: readonly Disclosure[],
): Record<string, unknown> {
  if (disclosures.length === 0) return variables;
  return { [PLACEHOLDER]: disclosures.map(({ text }) => text).join(' '), ...variables };
}

/** What is missing in the templates of a call in which something must be said; null: nothing. */
export function missingDisclosures(
  templates: readonly string[],
  disclosures: readonly Disclosure[],
): string | null {
  if (disclosures.length === 0 || templates.some((template) => PLACED.test(template))) return null;
  const rules = disclosures.map(({ id }) => id).join(', ');
  return `The templates have no {{disclosures}}, and the law requires that something is said in the call: ${rules}.`;
}
