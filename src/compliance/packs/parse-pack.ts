import { parse } from 'yaml';
import { type Pack } from '../../domain/compliance/pack.js';
import { Fields } from './fields.js';
import { contentOf, versionOf } from './pack-content.js';
import { PackError } from './pack-error.js';
import { ID, parseRule } from './parse-rule.js';

const JURISDICTION = /^[A-Z]{2}(?:-[A-Z0-9]{1,3})?$/;

/**
 * A pack of the text of its YAML file, which has the name `<pack>.yaml`.
 *
 * @param file its name, for messages.
 * @throws PackError naming the file, the rule and the field.
 */
export function parsePack(text: string, file: string): Pack {
  const fields = Fields.of(readYaml(text, file), file);
  const pack = fields.text('pack', ID, 'must be lower-case words with - between');
  if (file !== `${pack}.yaml`) throw fields.fault('pack', `must be the name of the file without .yaml`);
  const content = {
    pack,
    jurisdiction: fields.text('jurisdiction', JURISDICTION, 'must be ISO 3166, such as US or US-FL, or EU'),
    name: fields.text('name'),
    extends: fields.has('extends') ? extendedOf(fields) : [],
    rules: fields.list('rules').map((rule, index) => parseRule(rule, file, index)),
  };
  fields.take('extends');
  fields.end();
  return { ...content, version: versionOf(contentOf(content)) };
}

function readYaml(text: string, file: string): unknown {
  try {
    return parse(text, { version: '1.2', uniqueKeys: true, logLevel: 'error' });
  } catch (error) {
    throw new PackError(`${file} is not YAML: ${(error as Error).message.split('\n')[0]}`);
  }
}

function extendedOf(fields: Fields): string[] {
  const names = fields.list('extends');
  if (!names.every((name): name is string => typeof name === 'string' && ID.test(name)))
    throw fields.fault('extends', 'must be names of packs');
  return [...names];
}
