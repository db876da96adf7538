import { isErasedNumber, shownNumber } from '../../domain/erased-number.js';
import { numberGroups } from '../../domain/phone-number.js';

/**
 * A phone number in groups of digits, as it is read. The gaps are the style sheet's, so that the number is copied as
 * E.164.
 */
export function PhoneNumber({ number }: { number: string }) {
  if (isErasedNumber(number)) return <span>{shownNumber(number)}</span>;
  return (
    <data class="phone" value={number}>
      {numberGroups(number).map((group) => (
        <span>{group}</span>
      ))}
    </data>
  );
}

/** The same as text, for titles: `+1 415 555 0142`. */
export function numberText(number: string): string {
  return isErasedNumber(number) ? shownNumber(number) : numberGroups(number).join(' ');
}
