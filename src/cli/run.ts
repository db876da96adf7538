import 'reflect-metadata';
import { userInfo } from 'node:os';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommanderError, type Command as Program } from 'commander';
import { type ApiAccess, loadApiAccess } from '../config/api-access.js';
import { Config } from '../config/config.js';
import { type DatabaseAccess, loadDatabaseAccess } from '../config/database-url.js';
import { loadErasureKey } from '../config/erasure-key.js';
import { loadJournal } from '../config/journal-dir.js';
import { loadSecretsKeys } from '../config/secrets-keys.js';
import { loadDefaultTeam } from '../config/default-team.js';
import { loadTzdataFile } from '../config/tzdata-file.js';
import { loadCarrierConfig, loadComplianceConfig, loadLinkConfig } from '../configuration.js';
import { withActor } from '../database/actor.js';
import { installZoneData } from '../zone-data.js';
import { type OwnKey } from '../teams/own-key.service.js';
import { ApiClient } from './api-client.js';
import { CliModule } from './cli.module.js';
import { type Command, type Invocation, type Output } from './command.js';
import { COMMANDS } from './commands.js';
import { dispatchByKey, noKeyHas } from './dispatch-by-key.js';
import { dispatchWithin } from './dispatch-within.js';
import { failureOf } from './failures.js';
import { checkRequired, invocationOf, type Parsed } from './invocation.js';
import { operationByKey, operationNamed } from './operations.js';
import { buildProgram, hasShownHelp } from './program.js';
import { jsonOf, printable, textOf } from './text-output.js';
import { OperatorOnlyError, UsageError } from './usage-error.js';

/** The input and output of a command. */
export interface Terminal {
  argv: string[];
  /** The output. */
  write: (text: string) => void;
  /** Messages beside the output, on standard error. */
  tell: (text: string) => void;
  /** Replaces the line that was drawn before; undefined without a terminal. */
  draw?: (text: string) => void;
  /** Replaces the process's standard input. */
  input?: () => Promise<string>;
  /** Replaces the process's environment. */
  env?: NodeJS.ProcessEnv;
}

/** @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage or configuration. */
export async function runCli({ argv, env, input = standardInput, ...terminal }: Terminal): Promise<number> {
  const write = (text: string) => terminal.write(printable(text));
  const tell = (text: string) => terminal.tell(printable(text));
  const draw = terminal.draw && ((text: string) => terminal.draw?.(printable(text)));
  let running: Program | undefined;
  let code = 0;
  const run = async (command: Command, parsed: Program) => {
    running = parsed;
    const json = parsed.opts().json === true;
    const output = await perform(command, parsed, { tell, draw, env, input });
    write(json ? jsonOf(output) : textOf(output));
    if (output.kind === 'page' && output.page.nextCursor !== null && !json) {
      tell(`There are more: --cursor ${output.page.nextCursor}`);
    }
    if (output.kind === 'text' && output.failed) code = 1;
  };
  try {
    await buildProgram(COMMANDS, { write, run }).parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && hasShownHelp(error)) return 0;
    const failure = failureOf(error, running);
    tell(failure.message);
    return failure.code;
  }
}

async function perform(
  command: Command,
  program: Program,
  { tell, draw, env, input }: Pick<Terminal, 'tell' | 'draw' | 'env'> & Pick<Invocation, 'input'>,
): Promise<Output> {
  const values = program.opts<Parsed['values']>();
  const access = loadApiAccess(env);
  if (access !== undefined) {
    return performByKey(command, { args: program.args, values }, { access, tell, draw, input });
  }
  const parsed: Parsed = {
    args: program.args,
    values: command.team ? { team: loadDefaultTeam(env), ...values } : values,
  };
  checkRequired(command, parsed);
  installZoneData(loadTzdataFile(env));
  const erasureKey = loadErasureKey(env);
  const app = await connect(
    { ...loadDatabaseAccess(env), ...loadJournal(erasureKey, env), ...loadSecretsKeys(env), erasureKey },
    { ...loadCarrierConfig(env), ...loadComplianceConfig(env), ...(command.links && loadLinkConfig(env)) },
  );
  try {
    const service = <T>(type: abstract new (...args: never[]) => T) => app.get<T>(type, { strict: false });
    const invocation = await invocationOf(command, parsed, {
      service,
      api: undefined,
      dispatch: dispatchWithin(app.get(CliModule).module),
      input,
      tell,
      draw,
    });
    return await withActor(() => command.run(invocation), {
      kind: 'cli',
      id: null,
      name: userInfo().username,
      address: null,
    });
  } finally {
    await app.close();
  }
}

async function standardInput(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

/** Sends the command with a team's key, without a database. The key names the team. */
async function performByKey(
  command: Command,
  { args, values: { team, ...values } }: Parsed,
  {
    access,
    tell,
    draw,
    input,
  }: Pick<Terminal, 'tell' | 'draw'> & Pick<Invocation, 'input'> & { access: ApiAccess },
): Promise<Output> {
  const [first] = command.operations ?? [];
  const operation = first === undefined ? undefined : operationNamed(first);
  if (operation !== undefined && operationByKey(operation) === undefined) throw noKeyHas(operation);
  checkRequired({ ...command, team: false }, { args, values });
  const api = new ApiClient(access);
  const dispatch = dispatchByKey(api);
  const service = () => {
    throw new OperatorOnlyError('no key has an operation for it');
  };
  const call = await invocationOf(
    command,
    { args, values },
    {
      service,
      api,
      dispatch,
      input,
      tell,
      draw,
    },
  );
  if (typeof team === 'string') await requireTeam(call, team);
  return command.run(call);
}

/** @throws UsageError if the key is of another team than `--team` names. */
async function requireTeam({ send }: Invocation, typed: string): Promise<void> {
  const { teamId, teamName } = await send<OwnKey>('getOwnKey');
  const names = [teamId, teamName].map((name) => name.toLowerCase());
  if (!names.includes(typed.toLowerCase()))
    throw new UsageError(
      `OUTDIAL_API_KEY is of the team ${JSON.stringify(teamName)}, not of --team ${typed}`,
    );
}

function connect(
  database: DatabaseAccess &
    Pick<Config, 'erasureKey' | 'journalDir' | 'journalDays' | 'secretsKey' | 'secretsKeyPrevious'>,
  others: Partial<Config>,
): Promise<INestApplicationContext> {
  const config = Object.assign(new Config(), others, database, { databasePoolSize: 2 });
  return NestFactory.createApplicationContext(CliModule.forRoot(config), {
    logger: false,
    abortOnError: false,
  });
}
