import { IsFlag, MayBeAbsent } from '../http/operator-validators.js';
import { IsText } from '../http/validators.js';
import { MAX_PHONE_NUMBER_TEXT } from '../domain/phone-number.js';
import { type PhoneNumber } from './phone-number.entity.js';

/** Body of a new number. */
export class CreatePhoneNumber {
  @IsText(MAX_PHONE_NUMBER_TEXT)
  phoneNumber: string;

  @MayBeAbsent()
  @IsFlag()
  active?: boolean;

  @MayBeAbsent()
  @IsFlag()
  outboundEnabled?: boolean;
}

/** Body of a change: an absent field does not change. */
export class UpdatePhoneNumber extends CreatePhoneNumber {
  @MayBeAbsent()
  declare phoneNumber: string;
}

/** A phone number as the API returns it. */
export interface PhoneNumberResource {
  id: string;
  /** E.164. */
  phoneNumber: string;
  active: boolean;
  outboundEnabled: boolean;
  createdAt: string;
}

export function phoneNumberResource(row: PhoneNumber): PhoneNumberResource {
  const { id, phoneNumber, active, outboundEnabled, createdAt } = row;
  return { id, phoneNumber, active, outboundEnabled, createdAt: createdAt.toISOString() };
}
