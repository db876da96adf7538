import { type RegisterFormat } from './formats.js';
import { areaCodeLines } from './area-code-lines.js';
import { AreaCodeTags } from './area-code-tags.js';
import { DigitRows } from './digit-rows.js';
import { numberLines } from './number-lines.js';
import { MOST_KEPT, type NumberReader, SeenAreas, UnreadableFile } from './number-reader.js';
import { type SourceFile, sourceFiles } from './source-files.js';
import { tpsLines } from './tps-lines.js';

const LESS = 0x3c;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** A short national number grows by its calling code, and a text may stand for several numbers. */
const GROWTH = 4;

/** How the files of a register are read. */
export interface Layout {
  format: RegisterFormat;
  /** Of numbers in national form in a `list`, ISO 3166; null: of none. */
  country: string | null;
}

/** A file of the register cannot be read. The message names the file, and the line. */
export class UnreadableRegister extends Error {
  override name = 'UnreadableRegister';
}

/** The numbers of all files of a register, as rows for COPY. */
export class RegisterRows {
  private readonly rows = new DigitRows();
  private readonly seen = new SeenAreas();

  constructor(
    private readonly paths: readonly string[],
    private readonly layout: Layout,
  ) {}

  /** How many numbers were read, those that are repeated included. */
  get count(): number {
    return this.rows.count;
  }

  /**
   * After all rows were read: the calling codes and area codes that the files are about, such as 1212; null: all numbers.
   */
  get areas(): number[] | null {
    return isByAreaCode(this.layout.format) ? this.seen.areas : null;
  }

  /** @throws UnreadableRegister */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (const path of this.paths) {
      let name = path;
      try {
        for await (const file of sourceFiles(path)) {
          ({ name } = file);
          yield* this.rowsOf(file);
        }
      } catch (error) {
        throw readableError(error, name);
      }
    }
  }

  private async *rowsOf({ bytes }: SourceFile): AsyncGenerator<Buffer> {
    let reader: NumberReader | undefined;
    for await (const given of bytes) {
      const chunk = reader === undefined ? withoutMark(given) : given;
      reader ??= this.readerFor(chunk);
      this.rows.reserve(GROWTH * (chunk.length + MOST_KEPT));
      reader.read(chunk, this.rows);
      const rows = this.rows.take();
      if (rows.length > 0) yield rows;
    }
    this.rows.reserve(GROWTH * MOST_KEPT);
    reader?.end(this.rows);
    const rows = this.rows.take();
    if (rows.length > 0) yield rows;
  }

  private readerFor(begin: Uint8Array): NumberReader {
    switch (this.layout.format) {
      case 'ftc':
      case 'lnnte':
        return begin.find((byte) => byte > 0x20) === LESS
          ? new AreaCodeTags(this.seen)
          : areaCodeLines(this.seen);
      case 'tps':
        return tpsLines();
      case 'list':
        return numberLines(this.layout.country);
    }
  }
}

/** Whether the files of a layout are those of single area codes. */
const isByAreaCode = (format: RegisterFormat): boolean => format === 'ftc' || format === 'lnnte';

function withoutMark(bytes: Uint8Array): Uint8Array {
  return BYTE_ORDER_MARK.equals(bytes.subarray(0, 3)) ? bytes.subarray(3) : bytes;
}

function readableError(error: unknown, name: string): unknown {
  if (error instanceof UnreadableFile) return new UnreadableRegister(`${name}: ${error.message}`);
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new UnreadableRegister(`${name} cannot be read (${code})`);
}
