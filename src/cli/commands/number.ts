import { CreatePhoneNumber, UpdatePhoneNumber } from '../../phone-numbers/phone-number.dto.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { type Command, type FieldsOf, pageOutput, record } from '../command.js';
import { flag, text } from '../field-kinds.js';

const { phoneNumber, ...SETTINGS }: FieldsOf<CreatePhoneNumber> = {
  phoneNumber: text('<number>', 'another number instead of this one'),
  active: flag('use it; --no-active stops its use'),
  outboundEnabled: flag('dial from it; --no-outbound-enabled stops that'),
};

export const NUMBER_COMMANDS: readonly Command[] = [
  {
    name: 'number add',
    summary: 'Add a number to call from',
    args: ['number'],
    team: true,
    fields: SETTINGS,
    run: async ({ service, teamId, arg, body }) => {
      const fields = body(CreatePhoneNumber, { phoneNumber: arg('number') });
      return record(await service(PhoneNumbersService).create(teamId, fields));
    },
  },
  {
    name: 'number list',
    summary: 'List the numbers to call from',
    team: true,
    paged: true,
    run: async ({ service, teamId, page }) => {
      const numbers = await service(PhoneNumbersService).list(teamId, page());
      return pageOutput(numbers, 'id', 'phoneNumber', 'active', 'outboundEnabled', 'createdAt');
    },
  },
  {
    name: 'number update',
    summary: 'Change the given fields of a number',
    args: ['id'],
    team: true,
    fields: { phoneNumber, ...SETTINGS },
    run: async ({ service, teamId, arg, body }) =>
      record(await service(PhoneNumbersService).update(teamId, arg('id'), body(UpdatePhoneNumber))),
  },
];
