import { type TestDatabase } from '../support/database.js';
import { runCli } from '../../src/cli/run.js';

/** What one command said, and its exit code. */
export interface Said {
  code: number;
  out: string;
  told: string;
}

/**
 * Fields as a command's options: `{ defaultCountry: 'DE', active: true }` becomes `--default-country DE
 * --active`.
 */
export function options(fields: Record<string, string | true>): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [option] : [option, value];
  });
}

/** Runs commands in this process, as `npm run cli --` does. */
export class CliTerminal {
  /** @param database null: commands have only `environment`. */
  constructor(
    private readonly database: TestDatabase | null,
    private readonly environment: NodeJS.ProcessEnv = {},
  ) {}

  /** Runs a command whose standard input is this text. */
  async runWith(input: string, ...argv: string[]): Promise<Said> {
    return this.said(argv, () => Promise.resolve(input));
  }

  async run(...argv: string[]): Promise<Said> {
    return this.said(argv);
  }

  private async said(argv: string[], input?: () => Promise<string>): Promise<Said> {
    const [out, told]: [string[], string[]] = [[], []];
    const code = await runCli({
      argv,
      input,
      write: (text) => out.push(text),
      tell: (text) => told.push(text),
      env: { ...this.environment, ...(this.database && { DATABASE_URL: this.database.url }) },
    });
    return { code, out: out.join('\n'), told: told.join('\n') };
  }

  /** The JSON of a command that must succeed. */
  async json<T = Record<string, unknown>>(...argv: string[]): Promise<T> {
    const said = await this.run(...argv, '--json');
    if (said.code !== 0) throw new Error(`${argv.join(' ')}: ${said.code} ${said.told}`);
    return JSON.parse(said.out) as T;
  }
}
