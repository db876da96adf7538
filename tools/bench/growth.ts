import { readFile } from 'node:fs/promises';
import { type Measured } from './stack.js';

const MEGABYTE = 1024 * 1024;

/** How much a process grows while something runs. */
export class Growth {
  private before = 0;
  private most = 0;

  constructor(private readonly measured: Pick<Measured, 'program'>) {}

  async begin(): Promise<void> {
    this.before = this.most = await this.resident();
  }

  async sample(): Promise<void> {
    this.most = Math.max(this.most, await this.resident());
  }

  get megabytes(): number {
    return (this.most - this.before) / MEGABYTE;
  }

  private async resident(): Promise<number> {
    const status = await readFile(`/proc/${this.measured.program.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }
}
