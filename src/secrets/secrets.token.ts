/** Injects `Secrets | null`: null without `SECRETS_KEY`. */
export const SECRETS = Symbol('SECRETS');
