import { type Command, type OptionSpec } from './command.js';
import { optionsOf } from './options.js';

/** How the commands are reached; an image without npm has `node dist/src/cli.js` instead. */
export const INVOCATION = 'npm run cli --';

/** One line with all that a command takes. */
export function usageOf(command: Command): string {
  const args = (command.args ?? []).map((name) => (name.startsWith('[') ? name : `<${name}>`));
  const required = Object.entries(optionsOf(command)).filter(([, spec]) => spec.required);
  const options = required.map(([name, { value }]) => `--${name} ${value}`);
  return [INVOCATION, command.name, ...args, ...options].join(' ');
}

/** The help of one command. */
export function helpOf(command: Command): string {
  const lines = Object.entries(optionsOf(command)).map(([name, spec]) => optionLine(name, spec));
  return [`Usage: ${usageOf(command)} [options]`, '', `${command.summary}.`, '', ...aligned(lines)].join(
    '\n',
  );
}

/** The help of several commands: all of them, or those that begin with one word. */
export function helpOfAll(commands: readonly Command[]): string {
  const lines = commands.map(({ name, summary }): [string, string] => [name, summary]);
  return [
    `Usage: ${INVOCATION} <command> [options]`,
    '',
    ...aligned(lines),
    '',
    'Each command explains itself with --help, and writes JSON with --json.',
    'It needs DATABASE_URL alone. Exit codes: 0 done, 1 refused or failed, 2 wrong usage or configuration.',
  ].join('\n');
}

function optionLine(name: string, { value, help, required }: OptionSpec): [string, string] {
  return [value ? `--${name} ${value}` : `--${name}`, required ? `${help} (required)` : help];
}

function aligned(lines: [string, string][]): string[] {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
