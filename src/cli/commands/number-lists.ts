import {
  type Added,
  type AddedToDoNotCall,
  type DoNotCallResource,
} from '../../suppression/number-lists.dto.js';
import { readOptOutNumbers } from '../../domain/opt-out-numbers.js';
import { parseStoredNumber } from '../../domain/phone-number.js';
import { AppError } from '../../http/app-error.js';
import { readExactNumber } from '../../phone-numbers/team-number.js';
import { type TeamResource } from '../../teams/team.dto.js';
import { type Command, done, type Invocation, type OptionSpec, type Output } from '../command.js';
import { fieldOptions } from '../field-options.js';
import { type AddedNumbers, addNumbersOf } from '../number-file.js';
import { nameArgument } from '../failures.js';
import { operationCommand } from '../operation-command.js';
import { UsageError } from '../usage-error.js';

const FILE: Record<string, OptionSpec> = {
  file: {
    value: '<path>',
    help: 'numbers, one on each line; # begins a comment, - reads standard input; bad lines are reported and skipped',
  },
};

const IN_DOUBT = 'can be several numbers, which are all listed:';

/** A list that numbers are added to. */
interface NumberListTarget {
  name: string;
  parse: typeof readExactNumber;
  /** The id of the operation that adds. */
  operation: string;
}

/** Adds all numbers. An invalid number is reported, and the exit code is 1. */
async function addTo({ name, parse, operation }: NumberListTarget, call: Invocation): Promise<Output> {
  const add = (phoneNumbers: string[]) =>
    call.send<Added | AddedToDoNotCall>(operation, { ...call.fields(), phoneNumbers });
  const path = call.option('file');
  const typed = call.rest();
  if (path === undefined) {
    if (typed.length === 0) throw new UsageError('There is no number: give some, or --file <path>');
    return addTyped({ name, operation }, call);
  }
  if (typed.length > 0) throw new UsageError('Give numbers, or --file, but not both');
  const isReadByApi = call.api !== undefined;
  const rules = isReadByApi ? null : await call.send<TeamResource>('getTeam');
  const result = await addNumbersOf(path, {
    isReadByApi,
    parse: (text) =>
      rules === null
        ? { ok: true, phoneNumbers: [text] }
        : parse(text, rules.defaultCountry, undefined, rules.acceptUnknownRanges),
    add: async (numbers) => (isReadByApi ? addedByApi(numbers, add) : { added: (await add(numbers)).added }),
    onBadLine: ({ line, message }) => call.tell(`${path}:${line}: ${message}`),
    onDoubt: (line, numbers) => call.tell(`${path}:${line}: ${IN_DOUBT} ${numbers.join(', ')}`),
    onFailure: (line) =>
      call.tell(`Stopped: nothing from line ${line} on was added. The same command can be run again.`),
  });
  const { numbers, added, bad } = result;
  const summary = `Added ${added} to the ${name}; ${numbers - added} were on it before, ${bad} lines were bad.`;
  return { kind: 'text', text: summary, value: result, failed: bad > 0 };
}

/** Adds the numbers that were typed. An invalid number is reported, and the exit code is 1. */
async function addTyped(
  { name, operation }: Omit<NumberListTarget, 'parse'>,
  call: Invocation,
): Promise<Output> {
  const typed = call.rest();
  const value = await call.send<Added | AddedToDoNotCall>(operation, {
    ...call.fields(),
    phoneNumbers: typed,
  });
  const { added, rejected } = value;
  for (const { error } of rejected) call.tell(nameArgument(error));
  const doubts = 'listed' in value ? value.listed.filter((one) => one.phoneNumbers.length > 1) : [];
  for (const { given, phoneNumbers } of doubts) call.tell(`${given}: ${IN_DOUBT} ${phoneNumbers.join(', ')}`);
  const more = doubts.reduce((sum, one) => sum + one.phoneNumbers.length - 1, 0);
  const known = typed.length - rejected.length + more - added;
  const bad = rejected.length > 0 ? `, ${rejected.length} were bad` : '';
  const text = `Added ${added} to the ${name}; ${known} were on it before${bad}.`;
  return { kind: 'text', text, value, failed: rejected.length > 0 };
}

/** Adds the lines of a file as they are. The API reads them by the settings of the team. */
async function addedByApi(
  lines: string[],
  add: (phoneNumbers: string[]) => Promise<Added | AddedToDoNotCall>,
): Promise<AddedNumbers> {
  const faultsOf = (messages: string[]) => {
    const found = messages.map((text) => /^phoneNumbers\[(\d+)\] (.*)$/s.exec(text));
    return new Map(found.flatMap((one) => (one ? [[Number(one[1]), `phoneNumber ${one[2]}`]] : [])));
  };
  try {
    const value = await add(lines);
    const faults = faultsOf(value.rejected.map(({ error }) => error));
    return { added: value.added, read: { faults, listed: 'listed' in value ? value.listed : [] } };
  } catch (error) {
    // Without any number, the request as a whole is refused.
    const faults = error instanceof AppError ? faultsOf(error.problems.map(({ message }) => message)) : null;
    if (faults?.size !== lines.length) throw error;
    return { added: 0, read: { faults, listed: [] } };
  }
}

/** Removes one number after the other. Numbers that are not on the list are reported at the end. */
async function removeFrom(listName: string, operation: string, call: Invocation): Promise<Output> {
  const missing: string[] = [];
  for (const phoneNumber of call.rest()) {
    try {
      await call.send(operation, { ...call.fields(), phoneNumber });
    } catch (error) {
      if (!isNotListed(error)) throw error;
      missing.push(phoneNumber);
      call.tell(`${phoneNumber} is not on the ${listName}`);
    }
  }
  const removed = call.rest().length - missing.length;
  const value = { removed, missing };
  return { kind: 'text', text: `Removed ${removed}.`, value, failed: missing.length > 0 };
}

function isNotListed(error: unknown): boolean {
  return error instanceof AppError && error.message === 'Phone number not found';
}

const HISTORY_COLUMNS = ['recordedAt', 'action', 'scope', 'source', 'actorName', 'reason', 'expiresAt'];

export const DO_NOT_CALL_COMMANDS: readonly Command[] = [
  {
    name: 'dnc add',
    summary: 'Add numbers to the Do Not Call list, and end their pending calls',
    operations: ['addToDoNotCall', 'getTeam'],
    args: ['[number...]'],
    team: true,
    fields: fieldOptions('addToDoNotCall', { without: ['teamId', 'phoneNumbers'] }),
    options: FILE,
    run: (call) =>
      addTo({ name: 'Do Not Call list', parse: readOptOutNumbers, operation: 'addToDoNotCall' }, call),
  },
  {
    name: 'dnc remove',
    summary: 'Remove numbers from the Do Not Call list',
    operations: ['removeFromDoNotCall'],
    args: ['number...'],
    team: true,
    fields: fieldOptions('removeFromDoNotCall', { without: ['teamId', 'phoneNumber'] }),
    run: (call) => removeFrom('Do Not Call list', 'removeFromDoNotCall', call),
  },
  {
    name: 'dnc check',
    summary: 'Tell whether a number is on the Do Not Call list, since when and why',
    operations: ['getDoNotCall', 'getTeam'],
    args: ['number'],
    team: true,
    run: async ({ send, arg }) => {
      try {
        const entry = await send<DoNotCallResource>('getDoNotCall', { phoneNumber: arg('number') });
        const why = entry.reason === null ? '' : `: ${entry.reason}`;
        const text = `${entry.phoneNumber} is on the list since ${entry.createdAt}${why}`;
        return done(text, { listed: true, ...entry });
      } catch (error) {
        if (!isNotListed(error)) throw error;
        const { defaultCountry } = await send<TeamResource>('getTeam');
        const parsed = parseStoredNumber(arg('number'), defaultCountry);
        // Without this check, a typing error would look like a number that may be called.
        if (!parsed.ok) throw new UsageError(parsed.message);
        return done(`${parsed.e164} is not on the list.`, { listed: false, phoneNumber: parsed.e164 });
      }
    },
  },
  operationCommand({
    name: 'dnc list',
    operation: 'listDoNotCall',
    columns: ['phoneNumber', 'reason', 'createdAt'],
  }),
  operationCommand({
    name: 'dnc limited',
    operation: 'listLimitedDoNotCall',
    columns: ['phoneNumber', 'scope', 'campaignId', 'agentId', 'purpose', 'effectiveFrom', 'expiresAt'],
  }),
  operationCommand({
    name: 'dnc history',
    operation: 'doNotCallHistory',
    args: { number: 'phoneNumber' },
    columns: HISTORY_COLUMNS,
  }),
];

/** The platform's own list. */
export const PLATFORM_DO_NOT_CALL_COMMANDS: readonly Command[] = [
  {
    name: 'platform-dnc add',
    summary: 'Add numbers that no team may call, and end their pending calls',
    operations: ['addToPlatformDoNotCall'],
    args: ['number...'],
    fields: fieldOptions('addToPlatformDoNotCall', { without: ['phoneNumbers'] }),
    run: (call) =>
      addTyped({ name: 'platform’s Do Not Call list', operation: 'addToPlatformDoNotCall' }, call),
  },
  {
    name: 'platform-dnc remove',
    summary: 'Remove numbers from the platform’s own Do Not Call list',
    operations: ['removeFromPlatformDoNotCall'],
    args: ['number...'],
    run: (call) => removeFrom('platform’s Do Not Call list', 'removeFromPlatformDoNotCall', call),
  },
  operationCommand({
    name: 'platform-dnc show',
    operation: 'getPlatformDoNotCall',
    args: { number: 'phoneNumber' },
  }),
  operationCommand({
    name: 'platform-dnc list',
    operation: 'listPlatformDoNotCall',
    columns: ['phoneNumber', 'reason', 'createdAt'],
  }),
  operationCommand({
    name: 'platform-dnc history',
    operation: 'platformDoNotCallHistory',
    args: { number: 'phoneNumber' },
    columns: HISTORY_COLUMNS,
  }),
];

export const WHITELIST_COMMANDS: readonly Command[] = [
  {
    name: 'whitelist add',
    summary: 'Add numbers that a whitelist-only team may dial',
    operations: ['addToWhitelist', 'getTeam'],
    args: ['[number...]'],
    team: true,
    fields: fieldOptions('addToWhitelist', { without: ['teamId', 'phoneNumbers'] }),
    options: FILE,
    run: (call) => addTo({ name: 'whitelist', parse: readExactNumber, operation: 'addToWhitelist' }, call),
  },
  {
    name: 'whitelist remove',
    summary: 'Remove numbers from the whitelist',
    operations: ['removeFromWhitelist'],
    args: ['number...'],
    team: true,
    run: (call) => removeFrom('whitelist', 'removeFromWhitelist', call),
  },
  operationCommand({ name: 'whitelist show', operation: 'getWhitelist', args: { number: 'phoneNumber' } }),
  operationCommand({
    name: 'whitelist list',
    operation: 'listWhitelist',
    columns: ['phoneNumber', 'createdAt'],
  }),
];
