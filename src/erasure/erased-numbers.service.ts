import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ERASED_PREFIX, ErasedForms, ErasureKeyError } from '../domain/erased-number.js';
import { AppError } from '../http/app-error.js';

/**
 * What stands for numbers after their contacts were erased: `erased:` and HMAC-SHA-256 under `ERASURE_KEY`, in hexadecimal digits. It is
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

  /** By what the key is known again. @throws ErasureKeyError without a key. */
  checkValue(): string {
    return this.hmac('check');
  }

  /**
   * All forms under which a team may have stored a number.
   *
   * @throws AppError `CONFLICT` where there may be an erased one, and no key.
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
