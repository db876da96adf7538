import { type CarrierAccountCheck } from '../../carrier-accounts/carrier-account.dto.js';
import { CarrierAccountsService } from '../../carrier-accounts/carrier-accounts.service.js';
import { CarrierCheckService, type CarrierReport } from '../../carriers/carrier-check.service.js';
import { CARRIER_NAMES } from '../../carriers/registry.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { type Command, done } from '../command.js';
import { operationCommand } from '../operation-command.js';
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
        name === undefined
          ? await checks.checkAll(numbers)
          : [
              await checks.check(name, numbers, true, {
                settings: await service(CarrierAccountsService).settingsAtDeployment(name, null),
              }),
            ];
      const ok = reports.every((report) => report.ok);
      return { kind: 'text', text: tableOf(reports), value: { ok, carriers: reports }, failed: !ok };
    },
  },
];

/** A team's own accounts at carriers. */
export const CARRIER_ACCOUNT_COMMANDS: readonly Command[] = [
  operationCommand({
    name: 'carrier-account create',
    operation: 'createCarrierAccount',
    summary:
      'Create a carrier account; give the credentials as @file.json, so that no list of processes shows them',
  }),
  operationCommand({
    name: 'carrier-account list',
    operation: 'listCarrierAccounts',
    columns: ['id', 'name', 'carrier', 'maxConcurrent', 'callsPerSecond', 'rotatedAt', 'createdAt'],
  }),
  operationCommand({ name: 'carrier-account show', operation: 'getCarrierAccount', args: { id: 'id' } }),
  operationCommand({
    name: 'carrier-account update',
    operation: 'updateCarrierAccount',
    summary: 'Rename a carrier account, set its limits, or rotate its credentials: --credentials @file.json',
    args: { id: 'id' },
  }),
  operationCommand({
    name: 'carrier-account delete',
    operation: 'deleteCarrierAccount',
    args: { id: 'id' },
    show: (_, { arg }) => done('Deleted, with its credentials.', { id: arg('id'), deleted: true }),
  }),
  operationCommand({
    name: 'carrier-account check',
    operation: 'checkCarrierAccount',
    args: { id: 'id' },
    show: (answer: CarrierAccountCheck) => ({
      kind: 'text',
      text: linesOf(answer.items).join('\n'),
      value: answer,
      failed: !answer.ok,
    }),
  }),
];

/** A line for each carrier, and one for each of its items. */
function tableOf(reports: readonly CarrierReport[]): string {
  const width = widthOf(reports.flatMap(({ items }) => items));
  return reports
    .map((report) => {
      const items = linesOf(report.items, width);
      return [titleOf(report), ...(report.configured ? items : [])].join('\n');
    })
    .join('\n');
}

const widthOf = (items: CarrierReport['items']): number =>
  Math.max(0, ...items.map(({ what }) => what.length));

function linesOf(items: CarrierReport['items'], width = widthOf(items)): string[] {
  return items.map(
    ({ what, ok, detail }) => `  ${ok ? 'ok    ' : 'FAILED'}  ${what.padEnd(width)}  ${detail}`,
  );
}

function titleOf({ carrier, configured, isDefault, ok, items }: CarrierReport): string {
  const title = `${carrier}${isDefault ? ' (default)' : ''}`;
  if (configured) return `${title}: ${ok ? 'works' : 'does not work'}`;
  return `${title}: not configured (${items.map(({ what }) => what).join(', ')})`;
}
