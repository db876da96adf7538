import { type Command as Program } from 'commander';

/** A command that no key may send, while commands are sent with a team's key. The exit code is 2. */
export class OperatorOnlyError extends Error {
  override name = 'OperatorOnlyError';

  /** @param why such as `no key has the operation createTeam`. */
  constructor(why: string) {
    super(why);
  }
}

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
