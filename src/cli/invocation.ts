import { invalid } from '../http/app-error.js';
import { MAX_BODY_BYTES } from '../http/body-reader.js';
import { parseJsonObject } from '../http/json-body.js';
import { parsePageRequest } from '../http/page.js';
import { validateBody } from '../http/validation.js';
import { type Command, type Invocation, optionName } from './command.js';
import { type Parsed } from './options.js';
import { UsageError } from './usage-error.js';

/** Where a command finds its services, and where it can tell people something. */
export interface Surroundings {
  service: Invocation['service'];
  tell: Invocation['tell'];
}

export function invocationOf(
  command: Command,
  { args, values }: Parsed,
  surroundings: Surroundings,
): Invocation {
  const names = command.args ?? [];
  const option = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    ...surroundings,
    arg: (name) => args[names.indexOf(name)] ?? '',
    rest: () => args.slice(names.length - 1),
    option,
    teamId: option('team') ?? '',
    body: (cls, more = {}) => checked(cls, { ...typedFields(command, values), ...more }),
    page: () => {
      const filters = Object.keys(command.filters ?? {});
      const sent = ['limit', 'cursor', ...filters].flatMap((name) => {
        const value = option(optionName(name));
        return value === undefined ? [] : [[name, value] as const];
      });
      return parsePageRequest(Object.fromEntries(sent), filters);
    },
  };
}

/** Fields that were typed, by their names in the body. */
function typedFields({ fields = {} }: Command, values: Parsed['values']): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [field, spec] of Object.entries(fields)) {
    const option = optionName(field);
    const typed = values[option];
    if (typed !== undefined) body[field] = spec.read(typed, option);
  }
  return body;
}

/** Through the same two gates as a body that comes over HTTP. */
function checked<T extends object>(cls: new () => T, fields: Record<string, unknown>): T {
  if (Object.keys(fields).length === 0) throw new UsageError('Nothing to change: --help shows what can be');
  const bytes = Buffer.from(JSON.stringify(fields));
  if (bytes.length > MAX_BODY_BYTES) throw invalid(`This is more than ${MAX_BODY_BYTES / 1024} KB`);
  const parsed = parseJsonObject(bytes);
  if (!parsed.ok) throw invalid(parsed.message);
  const result = validateBody(cls, parsed.value, { nulls: 'keep' });
  if (!result.ok) throw invalid(result.message);
  return result.value;
}
