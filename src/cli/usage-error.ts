import { type Command as Program } from 'commander';

/** The command line cannot be run as it stands: the message says what to type instead. Ends with exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';

  /** @param command the parser's command that refused its arguments. */
  constructor(
    message: string,
    readonly command?: Program,
  ) {
    super(message);
  }
}
