import { CarrierCheckService, type CarrierReport } from '../../carriers/carrier-check.service.js';
import { CARRIER_NAMES } from '../../carriers/registry.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { type Command } from '../command.js';
import { UsageError } from '../usage-error.js';

export const CARRIER_COMMANDS: readonly Command[] = [
  {
    name: 'carrier check',
    summary: 'Check carriers and the numbers to call from without a call; exit code 1 if one cannot be used',
    args: ['[name]'],
    run: async ({ service, arg }) => {
      const typed = arg('[name]');
      const name = CARRIER_NAMES.find((known) => known === typed);
      if (typed !== '' && name === undefined) {
        throw new UsageError(`There is no carrier of that name. There are: ${CARRIER_NAMES.join(', ')}`);
      }
      const numbers = await service(PhoneNumbersService).outboundNumbers();
      const checks = service(CarrierCheckService);
      const reports =
        name === undefined ? await checks.checkAll(numbers) : [await checks.check(name, numbers, true)];
      const ok = reports.every((report) => report.ok);
      return { kind: 'text', text: tableOf(reports), value: { ok, carriers: reports }, failed: !ok };
    },
  },
];

/** A line for each carrier, and one for each of its items. */
function tableOf(reports: readonly CarrierReport[]): string {
  const width = Math.max(0, ...reports.flatMap(({ items }) => items.map(({ what }) => what.length)));
  return reports
    .map((report) => {
      const items = report.items.map(
        ({ what, ok, detail }) => `  ${ok ? 'ok    ' : 'FAILED'}  ${what.padEnd(width)}  ${detail}`,
      );
      return [titleOf(report), ...(report.configured ? items : [])].join('\n');
    })
    .join('\n');
}

function titleOf({ carrier, configured, isDefault, ok, items }: CarrierReport): string {
  const title = `${carrier}${isDefault ? ' (default)' : ''}`;
  if (configured) return `${title}: ${ok ? 'works' : 'does not work'}`;
  return `${title}: not configured (${items.map(({ what }) => what).join(', ')})`;
}
