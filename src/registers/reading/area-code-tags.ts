import { writeNumber } from './area-code-lines.js';
import { type DigitRows } from './digit-rows.js';
import {
  areaAt,
  areDigits,
  MOST_KEPT,
  type NumberReader,
  type SeenAreas,
  UnreadableFile,
} from './number-reader.js';

const LESS = 0x3c;
const GREATER = 0x3e;
const LINE_FEED = 0x0a;
const QUOTES = [0x27, 0x22];
const IGNORED = new Set(['/', '?', '!']);

/**
 * A full list of the United States or Canada as an XML tagged file:
 * `<list type='full' level='all' val=''><ac val='416'><ph val='1234567' /></ac></list>`. The published example closes
 * `list` twice, so tags are read one by one, and how they nest is not checked.
 */
export class AreaCodeTags implements NumberReader {
  private readonly tag = new Uint8Array(MOST_KEPT);
  private length = 0;
  private inTag = false;
  private line = 1;
  private area: Uint8Array | null = null;
  private hasList = false;

  constructor(private readonly areas: SeenAreas) {}

  read(bytes: Uint8Array, rows: DigitRows): void {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === LINE_FEED) this.line += 1;
      if (!this.inTag) {
        if (byte === LESS) [this.inTag, this.length] = [true, 0];
        else if (byte > 0x20) throw new UnreadableFile('has text between tags', this.line);
      } else if (byte === GREATER) {
        this.inTag = false;
        this.readTag(rows);
      } else {
        if (this.length === MOST_KEPT) throw new UnreadableFile('has a tag that is too long', this.line);
        this.tag[this.length] = byte;
        this.length += 1;
      }
    }
  }

  end(): void {
    if (this.inTag) throw new UnreadableFile('breaks off in a tag', this.line);
    if (!this.hasList) throw new UnreadableFile('the file has no list');
  }

  private readTag(rows: DigitRows): void {
    const name = this.name();
    if (name === 'ph') this.readNumber(rows);
    else if (name === 'ac') this.readArea();
    else if (name === 'list') this.readList();
    else if (!IGNORED.has(name.charAt(0))) throw new UnreadableFile('has an unknown tag', this.line);
  }

  private readNumber(rows: DigitRows): void {
    const [start, end] = this.value();
    if (!this.hasList || this.area === null || end - start !== 7 || !areDigits(this.tag, start, end))
      throw new UnreadableFile('is not seven digits of a number in an area code', this.line);
    writeNumber(this.area, 0, this.tag, start, rows);
  }

  private readArea(): void {
    const [start, end] = this.value();
    if (end - start !== 3 || !areDigits(this.tag, start, end))
      throw new UnreadableFile('is not an area code of three digits', this.line);
    this.area = this.tag.slice(start, end);
    this.areas.add(areaAt(this.area, 0));
  }

  private readList(): void {
    const text = Buffer.from(this.tag.subarray(0, this.length)).toString('latin1');
    const attribute = (name: string) => new RegExp(`\\b${name}\\s*=\\s*['"]([^'"]*)['"]`).exec(text)?.[1];
    if (attribute('type') !== 'full')
      throw new UnreadableFile('is not of a full list: a list of changes is not imported', this.line);
    this.hasList = true;
    if (attribute('level') === 'all') this.areas.isEvery = true;
  }

  /** Up to the first space, or up to a `/` behind the first character. */
  private name(): string {
    let end = 0;
    while (end < this.length && (this.tag[end] ?? 0) > 0x20 && (end === 0 || this.tag[end] !== 0x2f))
      end += 1;
    return String.fromCharCode(...this.tag.subarray(0, end));
  }

  /** Where the first quoted value of the tag is; empty if there is none. */
  private value(): [start: number, end: number] {
    const quote = this.tag.findIndex((byte, at) => at < this.length && QUOTES.includes(byte));
    const end = quote === -1 ? -1 : this.tag.indexOf(this.tag[quote] ?? 0, quote + 1);
    return end === -1 || end >= this.length ? [0, 0] : [quote + 1, end];
  }
}
