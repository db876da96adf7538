import { AppError } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { RefusedPage } from '../frame/form.js';
import { waitText } from './wait-text.js';

export const WRONG_CODE = 'This code is wrong, too old, or was used already.';

/** A try that was not successful: `refused` was not looked at. */
export type Failure =
  { kind: 'wrong' } | { kind: 'wait'; seconds: number } | { kind: 'refused'; text: string };

/** Why a password or a code was not looked at. @throws every other error. */
export function notChecked(error: unknown): Failure {
  if (error instanceof AppError && error.code === 'CONFLICT') {
    return { kind: 'refused', text: `${error.message}.` };
  }
  if (error instanceof AppError && error.code === 'RATE_LIMITED') return { kind: 'wait', seconds: 1 };
  throw error;
}

/** The page with status 429. @param seconds to wait before the next try. */
export function waitPage(page: PageElement, seconds: number): RefusedPage {
  return new RefusedPage(page, 429, { 'Retry-After': String(seconds) });
}

/** The page again, with why above the form or at its field. @param wrong the sentence for a wrong value. */
export function refusedFor(
  failure: Failure,
  wrong: string,
  page: (faults: { whole: string | null; field: string | null }) => PageElement,
): RefusedPage {
  if (failure.kind === 'wait') {
    const shown = page({ whole: waitText(failure.seconds, 'answer'), field: null });
    return waitPage(shown, failure.seconds);
  }
  const whole = failure.kind === 'refused' ? failure.text : null;
  return new RefusedPage(page({ whole, field: whole === null ? wrong : null }));
}
