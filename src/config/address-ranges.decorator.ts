import { isIP } from 'node:net';
import { ValidateBy } from 'class-validator';

/**
 * A variable that holds IP addresses and CIDR ranges with commas between them. The range of all addresses is
 * refused.
 */
export function AddressRanges(): PropertyDecorator {
  return ValidateBy({
    name: 'addressRanges',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && value.split(',').every((range) => isAddressOrRange(range.trim())),
      defaultMessage: () => 'must be IP addresses or CIDR ranges with commas between, none of all addresses',
    },
  });
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}
