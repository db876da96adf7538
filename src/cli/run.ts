import 'reflect-metadata';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Config } from '../config/config.js';
import { type DatabaseAccess, loadDatabaseAccess } from '../config/database-url.js';
import { loadCarrierConfig } from '../configuration.js';
import { CliModule } from './cli.module.js';
import { type Command, type Output } from './command.js';
import { COMMANDS } from './commands.js';
import { failureOf } from './failures.js';
import { helpOf, helpOfAll } from './help.js';
import { invocationOf } from './invocation.js';
import { parse, type Parsed } from './options.js';
import { jsonOf, printable, textOf } from './text-output.js';
import { UsageError } from './usage-error.js';

/** Where a command's words come from and go to. */
export interface Terminal {
  argv: string[];
  /** The output. */
  write: (text: string) => void;
  /** All that is said beside it. */
  tell: (text: string) => void;
  /** Replaces the process's environment. */
  env?: NodeJS.ProcessEnv;
}

/** @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage or configuration. */
export async function runCli(terminal: Terminal): Promise<number> {
  const { argv } = terminal;
  const write = (text: string) => terminal.write(printable(text));
  const tell = (text: string) => terminal.tell(printable(text));
  let command: Command | undefined;
  try {
    command = commandOf(argv);
    if (command === undefined) {
      write(helpOfAll(commandsNamed(argv)));
      return 0;
    }
    const parsed = parse(command, argv.slice(command.name.split(' ').length));
    if (parsed.values.help === true) {
      write(helpOf(command));
      return 0;
    }
    const output = await perform(command, parsed, { ...terminal, tell });
    write(parsed.values.json === true ? jsonOf(output) : textOf(output));
    if (output.kind === 'page' && output.page.nextCursor !== null && parsed.values.json !== true) {
      tell(`There are more: --cursor ${output.page.nextCursor}`);
    }
    return output.kind === 'text' && output.failed ? 1 : 0;
  } catch (error) {
    const { code, message } = failureOf(error, command);
    tell(message);
    return code;
  }
}

async function perform(command: Command, parsed: Parsed, { tell, env }: Terminal): Promise<Output> {
  const app = await connect(loadDatabaseAccess(env), loadCarrierConfig(env));
  try {
    const service = <T>(type: abstract new (...args: never[]) => T) => app.get<T>(type, { strict: false });
    return await command.run(invocationOf(command, parsed, { service, tell }));
  } finally {
    await app.close();
  }
}

function connect(database: DatabaseAccess, carriers: Partial<Config>): Promise<INestApplicationContext> {
  const config = Object.assign(new Config(), carriers, database, { databasePoolSize: 2 });
  return NestFactory.createApplicationContext(CliModule.forRoot(config), {
    logger: false,
    abortOnError: false,
  });
}

/** The command that the first words name; undefined where they ask for help about several. */
function commandOf(argv: string[]): Command | undefined {
  const words = argv.slice(0, 2);
  const found =
    COMMANDS.find(({ name }) => name === words.join(' ')) ?? COMMANDS.find(({ name }) => name === words[0]);
  if (found) return found;
  const [first, second] = words;
  const asksForHelp = (word: string | undefined) => word === undefined || word === '--help' || word === '-h';
  if (asksForHelp(first) || first === 'help') return undefined;
  const siblings = commandsNamed(argv);
  if (siblings.length < COMMANDS.length && asksForHelp(second)) return undefined;
  const known = siblings.map(({ name }) => name).join(', ');
  throw new UsageError(`There is no command ${JSON.stringify(words.join(' '))}. There are: ${known}`);
}

/** Commands that begin with the first word, or all where none does. */
function commandsNamed([word]: string[]): readonly Command[] {
  const siblings = COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
  return siblings.length > 0 ? siblings : COMMANDS;
}
