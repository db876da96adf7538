import { count } from '../design/local-time.js';
import { AppError, type Problem } from '../../http/app-error.js';

/** What is wrong with the values of a form, by the name of the field. */
export type FieldErrors = Record<string, string>;

/**
 * The faults by field, in words for people: a message of the API begins with the name of its field, which the form
 * calls by its label.
 *
 * @param labels by the name of the field.
 */
export function fieldErrors(problems: readonly Problem[], labels: Record<string, string>): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of problems) {
    const field = path.split(/[.[]/)[0] ?? '';
    errors[field] ??= labelled(message, field, labels[field]);
  }
  return errors;
}

/** The faults of a refused change. @throws every error that is no refusal of what was sent. */
export function errorsOfRefusal(error: unknown, labels: Record<string, string>): FieldErrors {
  return fieldErrors(problemsOfRefusal(error), labels);
}

/** The same as the API names them. @throws every error that is no refusal of what was sent. */
export function problemsOfRefusal(error: unknown): readonly Problem[] {
  const isRefusal =
    error instanceof AppError && (error.code === 'INVALID_REQUEST' || error.code === 'CONFLICT');
  if (!isRefusal) throw error;
  return error.problems;
}

function labelled(message: string, field: string, label: string | undefined): string {
  const named =
    label !== undefined && message.startsWith(`${field} `) ? label + message.slice(field.length) : message;
  return named.replaceAll(/\b\d{5,}\b/g, (digits) => count(Number(digits)));
}
