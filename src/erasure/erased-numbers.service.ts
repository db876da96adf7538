import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { Config } from '../config/config.js';
import { ERASED_PREFIX, ErasedForms, ErasureKeyError } from '../domain/erased-number.js';
import { numbersOfPerson } from '../domain/person-number.js';
import { AppError } from '../http/app-error.js';
import {
  ERASURE_KEY_CHECK,
  type ErasureKeyRow,
  KEEP_ERASURE_KEY_CHECK,
  NOTE_ERASED_NUMBERS,
} from './sql/erase.sql.js';

/**
 * Erased numbers: `erased:` and an HMAC-SHA-256 of the number under `ERASURE_KEY`, in hexadecimal digits. The
 * HMAC is different for each team, so that erased rows of two teams cannot be joined.
 */
@Injectable()
export class ErasedNumbers extends ErasedForms {
  constructor(private readonly config: Config) {
    super();
  }

  get configured(): boolean {
    return this.config.erasureKey !== undefined;
  }

  /** @throws ErasureKeyError without a key. */
  formOf(teamId: string, phoneNumber: string): string {
    // An id of the team in capitals gives the same form.
    return ERASED_PREFIX + this.hmac(`number\n${teamId.toLowerCase()}\n${phoneNumber}`);
  }

  /** The check value by which the key is recognized. @throws ErasureKeyError without a key. */
  checkValue(): string {
    return this.hmac('check');
  }

  /**
   * All forms under which a team may have stored the number of a person, first the number itself.
   *
   * @throws AppError `CONFLICT` if there may be an erased form and the key is missing.
   */
  formsOf(team: { id: string; hasErasedNumbers: boolean }, phoneNumber: string): string[] {
    const numbers = [...new Set([phoneNumber, ...numbersOfPerson(phoneNumber)])];
    if (!team.hasErasedNumbers) return numbers;
    if (!this.configured) throw new AppError('CONFLICT', NOT_SET);
    return [...numbers, ...numbers.map((number) => this.formOf(team.id, number))];
  }

  /**
   * Records in the transaction that the team has numbers in their erased form, so that its guardrails look up
   * these forms.
   *
   * @throws AppError `CONFLICT` where numbers of this database were erased under another key; ErasureKeyError
   *   without a key.
   */
  async noteForms(manager: EntityManager, teamId: string): Promise<void> {
    const checkValue = this.checkValue();
    await manager.query(KEEP_ERASURE_KEY_CHECK.text, [checkValue]);
    const [key] = await manager.query<ErasureKeyRow[]>(ERASURE_KEY_CHECK.text);
    if (key?.check_value !== checkValue) throw new AppError('CONFLICT', OTHER_KEY);
    await manager.query(NOTE_ERASED_NUMBERS.text, [teamId]);
  }

  private hmac(text: string): string {
    const { erasureKey } = this.config;
    if (erasureKey === undefined) throw new ErasureKeyError(NOT_SET);
    return createHmac('sha256', erasureKey).update(text).digest('hex');
  }
}

const OTHER_KEY = 'ERASURE_KEY is not the key with which the numbers of this database were erased';
const NOT_SET = 'ERASURE_KEY is not set, and the database holds erased numbers';
