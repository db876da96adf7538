import { ValidateBy } from 'class-validator';
import { plainForm } from './secret.decorator.js';

/**
 * Passwords of templates that were not replaced, as {@link plainForm} writes them. Other weak passwords are
 * accepted, because databases of developers have them.
 */
const PLACEHOLDERS = new Set(['changeme', 'changethis', 'replaceme', 'placeholder', 'yourpassword']);

export const PLACEHOLDER_PASSWORD_MESSAGE = 'must not have a placeholder as its password';

/** A variable that holds a URL. A placeholder as its password is refused. */
export function PasswordReplaced(): PropertyDecorator {
  return ValidateBy({
    name: 'passwordReplaced',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || !hasPlaceholderPassword(value),
      defaultMessage: () => PLACEHOLDER_PASSWORD_MESSAGE,
    },
  });
}

/** The result is also false if the text is no URL. */
export function hasPlaceholderPassword(url: string): boolean {
  if (!URL.canParse(url)) return false;
  return PLACEHOLDERS.has(plainForm(new URL(url).password));
}
