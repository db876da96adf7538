/** What was typed cannot be done as it stands: the message says what to type instead. Ends with exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}
