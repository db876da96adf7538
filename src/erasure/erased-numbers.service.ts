import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ERASED_PREFIX, ErasedForms, ErasureKeyError } from '../domain/erased-number.js';
import { AppError } from '../http/app-error.js';

/**
 * Erased numbers: `erased:` and an HMAC-SHA-256 of the number under `ERASURE_KEY`, in hexadecimal digits. It is
 * different for each team, so that erased rows of two teams cannot be joined.
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
    return ERASED_PREFIX + this.hmac(`number\n${teamId}\n${phoneNumber}`);
  }

  /** The check value by which the key is recognized. @throws ErasureKeyError without a key. */
  checkValue(): string {
    return this.hmac('check');
  }

  /**
   * All forms under which a team may have stored a number.
   *
   * @throws AppError `CONFLICT` if there may be an erased form and the key is missing.
   */
  formsOf(team: { id: string; hasErasedNumbers: boolean }, phoneNumber: string): string[] {
    if (!team.hasErasedNumbers) return [phoneNumber];
    if (!this.configured) throw new AppError('CONFLICT', NOT_SET);
    return [phoneNumber, this.formOf(team.id, phoneNumber)];
  }

  private hmac(text: string): string {
    const { erasureKey } = this.config;
    if (erasureKey === undefined) throw new ErasureKeyError(NOT_SET);
    return createHmac('sha256', erasureKey).update(text).digest('hex');
  }
}

const NOT_SET = 'ERASURE_KEY is not set, and the database holds erased numbers';
