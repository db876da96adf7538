import { type CommanderError, Command as Program, Help, Option } from 'commander';
import { type Command, type OptionSpec } from './command.js';
import { optionName, optionsOf } from './options.js';
import { UsageError } from './usage-error.js';

/** How the commands are run. In an image without npm, the command is `node dist/src/cli.js`. */
export const INVOCATION = 'npm run cli --';

const HELP_WIDTH = 110;

const FOOTER = `Each command describes itself with --help, and writes JSON with --json.
It needs DATABASE_OPERATOR_URL or DATABASE_URL; or OUTDIAL_URL and OUTDIAL_API_KEY, with which it sends the requests
of a team's key. Exit codes: 0 done, 1 refused or failed, 2 wrong usage or configuration.
`;

/** What the program does with the command line. */
export interface ProgramActions {
  /** Writes help. */
  write: (text: string) => void;
  /** Runs the command that the command line names. */
  run: (command: Command, parsed: Program) => Promise<void>;
}

/** Commander's program of all commands: `team create` is the command `create` of the group `team`. */
export function buildProgram(commands: readonly Command[], { write, run }: ProgramActions): Program {
  const print = (text: string) => write(text.replace(/\n+$/, ''));
  const width = () => HELP_WIDTH;
  const program = withErrors(new Program(INVOCATION))
    .usage('<command> [options]')
    // `import` is a command and a group: the options behind `import list` are those of `import list`.
    .enablePositionalOptions()
    .helpOption('-h, --help', 'describe this command')
    .showSuggestionAfterError()
    .configureHelp({ formatHelp: (command, { helpWidth }) => new ListingHelp(helpWidth).of(command) })
    .configureOutput({
      writeOut: print,
      writeErr: print,
      getOutHelpWidth: width,
      getErrHelpWidth: width,
      // Commander also throws the error, and `runCli` reports it like all others.
      outputError: () => undefined,
    });
  for (const command of commands) {
    const words = command.name.split(' ');
    const name = words.pop() ?? '';
    const parent = words.reduce(groupNamed, program);
    addCommand(parent, name, command).action((...given) => run(command, given.at(-1) as Program));
  }
  return program;
}

/** Whether Commander ended because it has shown help. */
export function hasShownHelp({ code, exitCode }: CommanderError): boolean {
  return exitCode === 0 || code === 'commander.help';
}

/** The whole name of a command or group, such as `team create`; empty for the program. */
export function nameOf(parsed: Program): string {
  return parsed.parent === null ? '' : `${nameOf(parsed.parent)} ${parsed.name()}`.trim();
}

function groupNamed(parent: Program, name: string): Program {
  const known = parent.commands.find((command) => command.name() === name);
  return known ?? withErrors(parent.command(name)).usage('<command> [options]');
}

function addCommand(parent: Program, name: string, command: Command): Program {
  const { summary, description, args = [] } = command;
  const names = args.map((arg) => (arg.startsWith('[') ? arg : `<${arg}>`));
  const options = Object.entries(optionsOf(command));
  const required = options.flatMap(([key, spec]) =>
    spec.required ? [`--${optionName(key, spec)} ${spec.value}`] : [],
  );
  const added = withErrors(parent.command(name))
    .summary(summary)
    .description([`${summary}.`, ...(description === undefined ? [] : [description])].join('\n\n'))
    .usage([...names, ...required, '[options]'].join(' '));
  for (const arg of names) added.argument(arg);
  for (const [key, spec] of options) addOption(added, key, spec);
  return added;
}

function addOption(command: Program, key: string, spec: OptionSpec): void {
  const { value, help, required } = spec;
  const name = optionName(key, spec);
  const description = required ? `${help} (required)` : help;
  command.addOption(
    new KeyedOption(key, value === undefined ? `--${name}` : `--${name} ${value}`, description),
  );
  // The description of a flag says what its `--no-…` does.
  if (value === undefined) command.addOption(new KeyedOption(key, `--no-${name}`).hideHelp());
}

/** An option whose value is found by the key of its spec, whatever the name of the option is. */
class KeyedOption extends Option {
  constructor(
    private readonly key: string,
    flags: string,
    description?: string,
  ) {
    super(flags, description);
  }

  override attributeName(): string {
    return this.key;
  }
}

function withErrors(command: Program): Program {
  return command.exitOverride((error) => {
    throw hasShownHelp(error) ? error : new UsageError(messageOf(command, error), command);
  });
}

/** Commander's error in the style of all other messages. */
function messageOf(command: Program, { code, message }: CommanderError): string {
  const { args, registeredArguments } = command;
  switch (code) {
    case 'commander.missingArgument':
      return `<${registeredArguments[args.length]?.name()}> is missing`;
    case 'commander.excessArguments':
      return `${JSON.stringify(args[registeredArguments.length])} is one argument too many: put quotation marks around a value that has spaces in it`;
    case 'commander.unknownCommand':
      return unknownCommand(command, /\(Did you mean .*\)/s.exec(message)?.[0]);
    default:
      return message.replace(/^error: ./, (start) => start.slice(-1).toUpperCase());
  }
}

function unknownCommand(command: Program, suggestion?: string): string {
  const typed = `${nameOf(command)} ${command.args[0]}`.trim();
  const known = command.commands.map(nameOf).join(', ');
  const message = `There is no command ${JSON.stringify(typed)}. There are: ${known}`;
  return suggestion === undefined ? message : `${message}\n${suggestion}`;
}

/** Lists every command below a group by its whole name, so that one page shows them all. */
class ListingHelp extends Help {
  constructor(override helpWidth: number | undefined) {
    super();
  }

  of(command: Program): string {
    const text = this.formatHelp(command, this);
    return command.parent === null ? `${text}\n${FOOTER}` : text;
  }

  override visibleCommands(command: Program): Program[] {
    return command.commands.flatMap((sub) => [
      // A group may be a command, too, such as `import`.
      ...(sub.commands.length === 0 || sub.summary() !== '' ? [sub] : []),
      ...this.visibleCommands(sub),
    ]);
  }

  override subcommandTerm(command: Program): string {
    return nameOf(command);
  }
}
