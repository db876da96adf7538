import { type Command, type OptionSpec } from './command.js';

const EVERYWHERE: Record<string, OptionSpec> = {
  json: { help: 'write JSON, for programs' },
};

const TEAM: Record<string, OptionSpec> = {
  team: {
    value: '<id>',
    help: 'the team; `team list` shows them. Its name does as well; OUTDIAL_TEAM unless given',
    required: true,
  },
};

const PAGE: Record<string, OptionSpec> = {
  limit: { value: '<n>', help: 'rows to show, 1 to 200; 50 unless given' },
  cursor: { value: '<cursor>', help: 'continue where the page before ended' },
};

/** All options of a command by the names of their values, in the order of its help. */
export function optionsOf(command: Command): Record<string, OptionSpec> {
  return {
    ...(command.team ? TEAM : {}),
    ...command.fields,
    ...command.filters,
    ...command.options,
    ...(command.paged ? PAGE : {}),
    ...EVERYWHERE,
  };
}

/** `defaultCountry` → `default-country`. */
export function optionName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
