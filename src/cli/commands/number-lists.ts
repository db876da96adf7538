import { DoNotCallService } from '../../suppression/do-not-call.service.js';
import {
  type Added,
  type AddedToDoNotCall,
  AddToDoNotCall,
  AddToWhitelist,
} from '../../suppression/number-lists.dto.js';
import { WhitelistService } from '../../suppression/whitelist.service.js';
import { type OptOutNumbers, readOptOutNumbers } from '../../domain/opt-out-numbers.js';
import { parseStoredNumber } from '../../domain/phone-number.js';
import { AppError } from '../../http/app-error.js';
import { readExactNumber } from '../../phone-numbers/team-number.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type Command, done, type Invocation, type OptionSpec, type Output, pageOutput } from '../command.js';
import { text } from '../field-kinds.js';
import { addNumbersOf } from '../number-file.js';
import { nameArgument } from '../failures.js';
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
  parse: (text: string, defaultCountry: string | null) => OptOutNumbers;
  add: (phoneNumbers: string[]) => Promise<Added | AddedToDoNotCall>;
}

/** Adds all numbers. An invalid number is reported, and the exit code is 1. */
async function addTo({ name, parse, add }: NumberListTarget, call: Invocation): Promise<Output> {
  const path = call.option('file');
  const typed = call.rest();
  if (path === undefined) {
    if (typed.length === 0) throw new UsageError('There is no number: give some, or --file <path>');
    const value = await add(typed);
    const { added, rejected } = value;
    for (const { error } of rejected) call.tell(nameArgument(error));
    const doubts = 'listed' in value ? value.listed.filter((one) => one.phoneNumbers.length > 1) : [];
    for (const { given, phoneNumbers } of doubts)
      call.tell(`${given}: ${IN_DOUBT} ${phoneNumbers.join(', ')}`);
    const more = doubts.reduce((sum, one) => sum + one.phoneNumbers.length - 1, 0);
    const known = typed.length - rejected.length + more - added;
    const bad = rejected.length > 0 ? `, ${rejected.length} were bad` : '';
    const text = `Added ${added} to the ${name}; ${known} were on it before${bad}.`;
    return { kind: 'text', text, value, failed: rejected.length > 0 };
  }
  if (typed.length > 0) throw new UsageError('Give numbers, or --file, but not both');
  const { defaultCountry } = await call.service(TeamsService).find(call.teamId);
  const result = await addNumbersOf(path, {
    parse: (text) => parse(text, defaultCountry),
    add: async (numbers) => (await add(numbers)).added,
    onBadLine: ({ line, message }) => call.tell(`${path}:${line}: ${message}`),
    onDoubt: (line, numbers) => call.tell(`${path}:${line}: ${IN_DOUBT} ${numbers.join(', ')}`),
    onFailure: (line) =>
      call.tell(`Stopped: nothing from line ${line} on was added. The same command can be run again.`),
  });
  const { numbers, added, bad } = result;
  const summary = `Added ${added} to the ${name}; ${numbers - added} were on it before, ${bad} lines were bad.`;
  return { kind: 'text', text: summary, value: result, failed: bad > 0 };
}

/** Removes one number after the other. Numbers that are not on the list are reported at the end. */
async function removeFrom(
  listName: string,
  call: Invocation,
  remove: (n: string) => Promise<void>,
): Promise<Output> {
  const missing: string[] = [];
  for (const number of call.rest()) {
    try {
      await remove(number);
    } catch (error) {
      if (!(error instanceof AppError) || error.message !== 'Phone number not found') throw error;
      missing.push(number);
      call.tell(`${number} is not on the ${listName}`);
    }
  }
  const removed = call.rest().length - missing.length;
  const value = { removed, missing };
  return { kind: 'text', text: `Removed ${removed}.`, value, failed: missing.length > 0 };
}

export const DO_NOT_CALL_COMMANDS: readonly Command[] = [
  {
    name: 'dnc add',
    summary: 'Add numbers to the Do Not Call list, and end their pending calls',
    args: ['[number...]'],
    team: true,
    fields: { reason: text('<text>', 'reason, shown with the entry') },
    options: FILE,
    run: (call) =>
      addTo(
        {
          name: 'Do Not Call list',
          parse: readOptOutNumbers,
          add: (phoneNumbers) =>
            call.service(DoNotCallService).add(call.teamId, call.body(AddToDoNotCall, { phoneNumbers })),
        },
        call,
      ),
  },
  {
    name: 'dnc remove',
    summary: 'Remove numbers from the Do Not Call list',
    args: ['number...'],
    team: true,
    run: (call) =>
      removeFrom('Do Not Call list', call, (number) =>
        call.service(DoNotCallService).remove(call.teamId, number),
      ),
  },
  {
    name: 'dnc check',
    summary: 'Tell whether a number is on the Do Not Call list, since when and why',
    args: ['number'],
    team: true,
    run: async ({ service, teamId, arg }) => {
      try {
        const entry = await service(DoNotCallService).get(teamId, arg('number'));
        const why = entry.reason === null ? '' : `: ${entry.reason}`;
        const text = `${entry.phoneNumber} is on the list since ${entry.createdAt}${why}`;
        return done(text, { listed: true, ...entry });
      } catch (error) {
        if (!(error instanceof AppError) || error.message !== 'Phone number not found') throw error;
        const { defaultCountry } = await service(TeamsService).find(teamId);
        const parsed = parseStoredNumber(arg('number'), defaultCountry);
        // Without this check, a typing error would look like a number that may be called.
        if (!parsed.ok) throw new UsageError(parsed.message);
        return done(`${parsed.e164} is not on the list.`, { listed: false, phoneNumber: parsed.e164 });
      }
    },
  },
  {
    name: 'dnc list',
    summary: 'List the Do Not Call list',
    team: true,
    paged: true,
    run: async ({ service, teamId, page }) => {
      const entries = await service(DoNotCallService).list(teamId, page());
      return pageOutput(entries, 'phoneNumber', 'reason', 'createdAt');
    },
  },
];

export const WHITELIST_COMMANDS: readonly Command[] = [
  {
    name: 'whitelist add',
    summary: 'Add numbers that a whitelist-only team may dial',
    args: ['[number...]'],
    team: true,
    options: FILE,
    run: (call) =>
      addTo(
        {
          name: 'whitelist',
          parse: readExactNumber,
          add: (phoneNumbers) =>
            call.service(WhitelistService).add(call.teamId, call.body(AddToWhitelist, { phoneNumbers })),
        },
        call,
      ),
  },
  {
    name: 'whitelist remove',
    summary: 'Remove numbers from the whitelist',
    args: ['number...'],
    team: true,
    run: (call) =>
      removeFrom('whitelist', call, (number) => call.service(WhitelistService).remove(call.teamId, number)),
  },
  {
    name: 'whitelist list',
    summary: 'List the whitelist',
    team: true,
    paged: true,
    run: async ({ service, teamId, page }) => {
      const entries = await service(WhitelistService).list(teamId, page());
      return pageOutput(entries, 'phoneNumber', 'createdAt');
    },
  },
];
