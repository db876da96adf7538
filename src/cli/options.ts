import { type Command, type OptionSpec } from './command.js';

const EVERYWHERE: Record<string, OptionSpec> = {
  json: { help: 'write JSON, for programs' },
};

const TEAM: Record<string, OptionSpec> = {
  team: {
    value: '<id>',
    help: 'the team; `team list` shows them. Its name does as well; OUTDIAL_TEAM unless given. Not needed with OUTDIAL_API_KEY',
    required: true,
  },
};

/** All options of a command by the names of their values, in the order of its help. */
export function optionsOf(command: Command): Record<string, OptionSpec> {
  return {
    ...(command.team ? TEAM : {}),
    ...command.fields,
    ...command.filters,
    ...command.options,
    ...EVERYWHERE,
  };
}

/** The name of an option without its dashes. @param key of its spec. */
export function optionName(key: string, { name }: Pick<OptionSpec, 'name'>): string {
  return name ?? key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
