import { isCountryCode } from '../../domain/phone-number.js';
import { instantOf } from '../../http/call-result-fields.js';
import { REGISTER_FORMATS, type RegisterFormat } from '../../registers/register.dto.js';
import { type ImportedRegister, RegisterImports } from '../../registers/register-imports.service.js';
import { RegistersService } from '../../registers/registers.service.js';
import { type Command, done, type Invocation } from '../command.js';
import { UsageError } from '../usage-error.js';

/** How often the count of numbers is drawn. */
const DRAWN_EVERY_MS = 500;

const DESCRIPTION =
  'The files replace the whole register: give all of them. Text, XML and zip archives are read; - is standard input. ' +
  'us-ftc-dnc has the layout ftc, ca-dncl lnnte, gb-tps+ctps tps (give the files of both); list is a number a line, for all ' +
  'others. Files of single area codes say nothing about numbers of other area codes: rules then count the register as ' +
  'missing for them.';

export const REGISTER_COMMANDS: readonly Command[] = [
  {
    name: 'register import',
    summary: 'Replace a public register of numbers that must not be called by files',
    description: DESCRIPTION,
    args: ['register', 'file...'],
    options: {
      format: {
        value: '<name>',
        help: `layout of the files: ${REGISTER_FORMATS.join(', ')}`,
        required: true,
      },
      asOf: {
        value: '<date>',
        help: 'when the list was made, such as 2026-11-28 or 2026-11-28T06:00:00Z; by default when the oldest file was written',
      },
      country: {
        value: '<code>',
        help: 'country of numbers in national form in a list; by default that of the register’s name, such as be of be-dncm',
      },
      complete: { help: 'the files of an area-code layout have all area codes' },
      force: {
        help: 'replace the version in force by an older one, or by one with less than half of its numbers',
      },
    },
    run: runImport,
  },
  {
    name: 'register list',
    summary: 'List the registers with the version in force of each',
    options: { all: { help: 'versions that are not in force, too' } },
    run: async ({ service, flag }) => {
      const items = await service(RegistersService).list(flag('all'));
      const columns = ['register', 'version', 'status', 'asOf', 'importedAt', 'numbers', 'areas', 'format'];
      return { kind: 'page', page: { items, nextCursor: null }, columns };
    },
  },
  {
    name: 'register remove',
    summary: 'Take a register out of force and delete its numbers; rules then count it as missing',
    args: ['register'],
    run: async ({ service, arg }) => {
      await service(RegisterImports).remove(arg('register'));
      return done(`Removed ${arg('register')}.`, { removed: arg('register') });
    },
  },
];

async function runImport(call: Invocation) {
  const register = call.arg('register');
  const imports = call.service(RegisterImports);
  const imported = await imports.import({
    register,
    paths: call.rest(),
    format: formatOf(call.option('format')),
    asOf: asOfOf(call.option('asOf')),
    country: countryOf(call.option('country'), register),
    isComplete: call.flag('complete'),
    force: call.flag('force'),
    onProgress: drawing(call),
  });
  call.draw?.('');
  return done(textOf(imported), imported);
}

function formatOf(typed: string | undefined): RegisterFormat {
  const format = REGISTER_FORMATS.find((name) => name === typed);
  if (format === undefined) throw new UsageError(`--format must be one of ${REGISTER_FORMATS.join(', ')}`);
  return format;
}

/** A date is its first instant in UTC. */
function asOfOf(typed: string | undefined): Date | undefined {
  if (typed === undefined) return undefined;
  const instant = instantOf(typed) ?? instantOf(`${typed}T00:00Z`);
  if (instant === undefined)
    throw new UsageError(
      '--as-of must be a date such as 2026-11-28, or an instant such as 2026-11-28T06:00:00Z',
    );
  return instant;
}

function countryOf(typed: string | undefined, register: string): string | null {
  if (typed !== undefined && !isCountryCode(typed.toUpperCase()))
    throw new UsageError('--country must be a country code of two letters, such as BE');
  const country = (typed ?? register.split('-', 1)[0] ?? '').toUpperCase();
  return isCountryCode(country) ? country : null;
}

function drawing({ draw }: Invocation): ((numbers: number) => void) | undefined {
  if (draw === undefined) return undefined;
  let drawnAt = 0;
  return (numbers) => {
    if (performance.now() < drawnAt + DRAWN_EVERY_MS) return;
    drawnAt = performance.now();
    draw(`${numbers.toLocaleString('en')} numbers read`);
  };
}

function textOf({ register, version, asOf, numbers, areas, replaced }: ImportedRegister): string {
  const of = areas === null ? '' : ` of ${areas} area ${areas === 1 ? 'code' : 'codes'}`;
  const before = replaced === null ? 'the first' : `in place of ${replaced.toLocaleString('en')}`;
  return `${register} is in force as of ${asOf.toISOString()}: ${numbers.toLocaleString('en')} numbers${of}, ${before} (version ${version}).`;
}
