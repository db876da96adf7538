import { IsOptional } from 'class-validator';
import {
  CONTACT_FIELD_ALIASES,
  CONTACT_FIELDS,
  type ContactFieldKind,
  type ContactFieldName,
  type TriggerFieldAlias,
} from '../domain/contact-fields.js';
import { IsEmailAddress, IsPrintable, IsText, IsTimeZone } from './validators.js';

/** An optional field of a contact, with the rule that the list of fields gives the property's name. */
export function IsContactField() {
  return (target: object, property: ContactFieldName | TriggerFieldAlias): void => {
    const name = CONTACT_FIELD_ALIASES.find(([alias]) => alias === property)?.[1] ?? property;
    const field = CONTACT_FIELDS.find((one) => one.name === name);
    if (field === undefined) throw new Error(`${property} is not a field of a contact`);
    ruleOf(field.kind)(target, property);
    IsOptional()(target, property);
  };
}

function ruleOf(kind: ContactFieldKind): PropertyDecorator {
  switch (kind.type) {
    case 'text':
      return IsText(kind.max);
    case 'email':
      return IsEmailAddress();
    case 'timeZone':
      return IsTimeZone();
    case 'id':
      return IsPrintable(kind.max);
  }
}
