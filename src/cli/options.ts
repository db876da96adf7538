import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Command, optionName, type OptionSpec } from './command.js';
import { UsageError } from './usage-error.js';

/** A command line, taken apart: what it names is known, but nothing of it is judged. */
export interface Parsed {
  args: string[];
  values: Record<string, string | boolean | undefined>;
}

const EVERYWHERE: Record<string, OptionSpec> = {
  json: { help: 'write JSON, for programs' },
  help: { help: 'explain this command' },
};

const TEAM: Record<string, OptionSpec> = {
  team: { value: '<id>', help: 'the team; `team list` shows them', required: true },
};

const PAGE: Record<string, OptionSpec> = {
  limit: { value: '<n>', help: 'rows to show, 1 to 200; 50 unless told' },
  cursor: { value: '<cursor>', help: 'go on where the page before ended' },
};

/** All options of a command by the names they are typed with, in the order of its help. */
export function optionsOf(command: Command): Record<string, OptionSpec> {
  const typed = (specs: Readonly<Record<string, OptionSpec>> = {}) =>
    Object.fromEntries(Object.entries(specs).map(([name, spec]) => [optionName(name), spec]));
  return {
    ...(command.team ? TEAM : {}),
    ...typed(command.fields),
    ...typed(command.filters),
    ...command.options,
    ...(command.paged ? PAGE : {}),
    ...EVERYWHERE,
  };
}

/** @throws UsageError for what the command does not know, or lacks. */
export function parse(command: Command, typed: string[]): Parsed {
  const known = optionsOf(command);
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    Object.entries(known).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]),
  );
  let parsed: Parsed;
  try {
    const { positionals, values } = parseArgs({
      ...{ args: typed, options, allowPositionals: true, allowNegative: true, strict: true },
    });
    parsed = { args: positionals, values: values as Parsed['values'] };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (parsed.values.help === true) return parsed;
  for (const [name, { required, value, help }] of Object.entries(known)) {
    if (required && parsed.values[name] === undefined) {
      throw new UsageError(`--${name} ${value} is missing: ${help}`);
    }
  }
  checkCount(command, parsed.args);
  return parsed;
}

function checkCount({ args = [] }: Command, given: string[]): void {
  const many = args.at(-1)?.includes('...') ?? false;
  const least = args.filter((name) => !name.startsWith('[')).length;
  if (given.length < least) throw new UsageError(`<${args[given.length]}> is missing`);
  if (!many && given.length > args.length) {
    const unquoted = 'put quotation marks around a value that has spaces in it';
    throw new UsageError(`${JSON.stringify(given[args.length])} is one argument too many: ${unquoted}`);
  }
}
