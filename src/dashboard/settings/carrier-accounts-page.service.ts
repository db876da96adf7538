import { Injectable } from '@nestjs/common';
import { CARRIERS } from '../../carriers/registry.js';
import { CreateCarrierAccount, UpdateCarrierAccount } from '../../carrier-accounts/carrier-account.dto.js';
import { accountFieldsOf, CarrierAccountsService } from '../../carrier-accounts/carrier-accounts.service.js';
import { problemsOf } from '../../http/app-error.js';
import { validateBody } from '../../http/validation.js';
import { errorsOfRefusal, fieldErrors, type FieldErrors } from '../frame/form-errors.js';
import { listPage } from '../frame/list-page.js';
import { type SentFields } from '../frame/sent-fields.js';
import {
  ACCOUNT_LABELS,
  type CarrierAccounts,
  LIMIT_NAMES,
  type LimitName,
} from './carrier-accounts.view.js';

/** What a form or a check adds to the page. */
export type AboutAccounts = Partial<
  Pick<CarrierAccounts, 'refused' | 'refusedRotation' | 'refusedLimits' | 'checked'>
>;

/** A team has fewer. */
const LISTED = 100;

/** The team's own accounts, for the page of its carriers. */
@Injectable()
export class CarrierAccountsPageService {
  constructor(private readonly accounts: CarrierAccountsService) {}

  async section(teamId: string, about: AboutAccounts = {}): Promise<CarrierAccounts> {
    const { items } = await this.accounts.list(teamId, listPage(LISTED, null));
    const carriers = CARRIERS.map(({ name }) => ({ name, fields: accountFieldsOf(name) }));
    return {
      accounts: items,
      carriers: carriers.filter(({ fields }) => fields.length > 0),
      canSeal: this.accounts.canSeal,
      refused: null,
      refusedRotation: null,
      refusedLimits: null,
      checked: null,
      ...about,
    };
  }

  /** Adds an account. @returns what was refused, without the credentials; null: nothing. */
  async create(teamId: string, sent: SentFields): Promise<CarrierAccounts['refused']> {
    const carrier = sent.text('carrier');
    const name = sent.text('name');
    const refused = (errors: FieldErrors) => ({ carrier, name, errors });
    const fields = { name, carrier, credentials: credentialsIn(carrier, sent) };
    const read = validateBody(CreateCarrierAccount, fields, { nulls: 'keep' });
    if (!read.ok) return refused(fieldErrors(problemsOf(read), ACCOUNT_LABELS));
    try {
      await this.accounts.create(teamId, read.value);
      return null;
    } catch (error) {
      return refused(labelled(carrier, errorsOfRefusal(error, ACCOUNT_LABELS)));
    }
  }

  /** Replaces the credentials of an account. @returns what was refused, without the credentials; null: nothing. */
  async rotate(teamId: string, id: string, sent: SentFields): Promise<CarrierAccounts['refusedRotation']> {
    const { carrier } = await this.accounts.get(teamId, id);
    try {
      await this.accounts.update(teamId, id, { credentials: credentialsIn(carrier, sent) });
      return null;
    } catch (error) {
      return { accountId: id, errors: labelled(carrier, errorsOfRefusal(error, ACCOUNT_LABELS)) };
    }
  }

  /** Sets the limits of an account; an empty field is no limit. @returns what was refused; null: nothing. */
  async limit(teamId: string, id: string, sent: SentFields): Promise<CarrierAccounts['refusedLimits']> {
    const typed = Object.fromEntries(LIMIT_NAMES.map((name) => [name, sent.text(name).trim()])) as Record<
      LimitName,
      string
    >;
    const fields = Object.fromEntries(LIMIT_NAMES.map((name) => [name, numberOf(typed[name])]));
    const read = validateBody(UpdateCarrierAccount, fields, { nulls: 'keep' });
    if (!read.ok) return { accountId: id, typed, errors: fieldErrors(problemsOf(read), ACCOUNT_LABELS) };
    await this.accounts.update(teamId, id, read.value);
    return null;
  }

  /** @throws AppError `CONFLICT` if an agent names the account. */
  delete(teamId: string, id: string): Promise<void> {
    return this.accounts.delete(teamId, id);
  }

  async check(teamId: string, id: string): Promise<CarrierAccounts['checked']> {
    const account = await this.accounts.get(teamId, id);
    return { account, report: await this.accounts.check(teamId, id) };
  }
}

/** What is no number stays a text, which is refused by name. */
function numberOf(typed: string): number | string | null {
  if (typed === '') return null;
  const value = Number(typed);
  return Number.isFinite(value) ? value : typed;
}

function credentialsIn(carrier: string, sent: SentFields): Record<string, string> {
  return Object.fromEntries(
    accountFieldsOf(carrier).flatMap(({ name }) => {
      const value = sent.text(`credentials.${name}`).trim();
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** The labels of credentials instead of their names in requests. */
function labelled(carrier: string, errors: FieldErrors): FieldErrors {
  const fields = accountFieldsOf(carrier);
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [
      field,
      fields.reduce((text, { name, label }) => text.replace(`credentials.${name}`, label), message),
    ]),
  );
}
