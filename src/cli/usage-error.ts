import { type Command as Program } from 'commander';

/** The command line is not valid. The message says what to type instead. The exit code is 2. */
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
