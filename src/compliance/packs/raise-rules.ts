import { type Pack, type PackRule } from '../../domain/compliance/pack.js';
import { contentOf, versionOf } from './pack-content.js';

/** The pack with these rules of it counted as sure, and a version of its own. A pack without such a rule is the same. */
export function raiseRules(pack: Pack, raised: ReadonlySet<string>): Pack {
  const rules = pack.rules.map((rule) => (raised.has(rule.id) ? raise(rule) : rule));
  if (rules.every((rule, index) => rule === pack.rules[index])) return pack;
  const content = { ...pack, rules };
  return { ...content, version: versionOf(contentOf(content)) };
}

function raise(rule: PackRule): PackRule {
  if (rule.confidence === 'high') return rule;
  const why = `Raised from ${rule.confidence} by PACKS_RAISE.`;
  return { ...rule, confidence: 'high', note: rule.note === null ? why : `${rule.note} ${why}` };
}
