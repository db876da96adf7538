const BAR_WIDTH = 30;
/** Without a terminal, a line is printed each time that this many percent more are done. */
const LINE_EVERY_PERCENT = 10;
const FULL = 100;

/** Shows how far a command is: a bar on a terminal, lines elsewhere. */
export class Progress {
  private shown = 0;

  /**
   * @param draw replaces the line that was drawn before; undefined without a terminal.
   * @param tell writes a line.
   */
  constructor(
    private readonly label: string,
    private readonly draw: ((line: string) => void) | undefined,
    private readonly tell: (line: string) => void,
  ) {}

  /** @param detail follows the percentage. */
  show(done: number, total: number, detail: string): void {
    const percent = total === 0 ? FULL : Math.min(FULL, Math.floor((done / total) * FULL));
    if (this.draw !== undefined) {
      const filled = Math.round((percent / FULL) * BAR_WIDTH);
      const bar = `${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}`;
      this.draw(`${this.label} [${bar}] ${String(percent).padStart(3)} %  ${detail}`);
      return;
    }
    if (percent < this.shown + LINE_EVERY_PERCENT) return;
    this.shown = percent - (percent % LINE_EVERY_PERCENT);
    this.tell(`${this.label}: ${percent} %, ${detail}`);
  }

  /** Clears the line. */
  end(): void {
    this.draw?.('');
  }
}
