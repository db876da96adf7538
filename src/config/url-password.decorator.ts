import { ValidateBy } from 'class-validator';

/**
 * Passwords of templates that were not replaced: whole values in lower case, without hyphens, underscores and
 * dots. Other weak passwords are accepted, because databases of developers have them.
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

/** False also for what is no URL. */
export function hasPlaceholderPassword(url: string): boolean {
  if (!URL.canParse(url)) return false;
  return PLACEHOLDERS.has(new URL(url).password.toLowerCase().replace(/[-_.]/g, ''));
}
