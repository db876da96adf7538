import { Writable } from 'node:stream';
import { createLogger, type JsonLogger } from '../../src/telemetry/logger.js';

export type Line = Record<string, unknown> & { level: string; msg: string };

/** A process's log as it would be written, kept for a test to read. */
export class CapturedLog {
  text = '';

  readonly logger: JsonLogger = createLogger(
    { nodeEnv: 'production', logLevel: 'trace' },
    'api',
    new Writable({
      write: (chunk: Buffer, _, done) => {
        this.text += chunk.toString();
        done();
      },
    }),
  );

  private readonly parsed: Line[] = [];
  private parsedUntil = 0;

  /** The lines, parsed once; throws on one that is no JSON. */
  get lines(): readonly Line[] {
    for (const line of parseLines(this.text.slice(this.parsedUntil))) this.parsed.push(line);
    this.parsedUntil = this.text.length;
    return this.parsed;
  }

  /** The lines of one context, such as `Http`. */
  of(context: string): Line[] {
    return this.lines.filter((line) => line.context === context);
  }
}

export function parseLines(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
