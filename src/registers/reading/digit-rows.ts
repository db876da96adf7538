const LINE_FEED = 0x0a;

/** Numbers as rows of text for COPY: their digits, and a line feed. */
export class DigitRows {
  /** How many rows were written. */
  count = 0;
  private bytes = Buffer.alloc(0);
  private length = 0;

  /** Makes room for so many bytes. To be called after {@link take}. */
  reserve(bytes: number): void {
    this.bytes = Buffer.allocUnsafe(bytes);
  }

  /** Appends a digit as ASCII. */
  digit(byte: number): void {
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  /** Appends the digits of `source` from `start` to `end`. */
  digits(source: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at += 1) this.digit(source[at] ?? 0);
  }

  endRow(): void {
    this.digit(LINE_FEED);
    this.count += 1;
  }

  /** The rows since the last time. */
  take(): Buffer {
    if (this.length > this.bytes.length) throw new Error('too little room was reserved for rows');
    const taken = this.bytes.subarray(0, this.length);
    this.length = 0;
    return taken;
  }
}
