import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive. */
export interface Zipped {
  name: string;
  content: string;
  /** Whether sizes and checksum follow the content, as in archives that were written as a stream. */
  streamed?: boolean;
  /** Replaces the checksum. */
  crc?: number;
}

const DEFLATED = 8;
const STREAMED = 0x0008;
const VERSION = 20;

/** A zip archive (APPNOTE.TXT 4.3). */
export function zipOf(files: readonly Zipped[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, streamed = false, crc = crc32(content) } of files) {
    const data = deflateRawSync(content);
    const flags = streamed ? STREAMED : 0;
    const sizes = [crc, data.length, Buffer.byteLength(content)];
    const local = Buffer.concat([
      words('PK\x03\x04', [VERSION, flags, DEFLATED, 0, 0], streamed ? [0, 0, 0] : sizes, [name.length, 0]),
      Buffer.from(name),
      data,
      ...(streamed ? [words('PK\x07\x08', [], sizes, [])] : []),
    ]);
    central.push(
      words('PK\x01\x02', [VERSION, VERSION, flags, DEFLATED, 0, 0], sizes, [name.length, 0, 0, 0, 0]),
      words('', [], [0, offset], []),
      Buffer.from(name),
    );
    locals.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(central);
  const end = Buffer.concat([
    words('PK\x05\x06', [0, 0, files.length, files.length], [index.length, offset], [0]),
  ]);
  return Buffer.concat([...locals, index, end]);
}

/** A signature, numbers of 16 bits, of 32 bits, and of 16 bits. */
function words(signature: string, shorts: number[], longs: number[], more: number[]): Buffer {
  const short = (value: number) => {
    const bytes = Buffer.alloc(2);
    bytes.writeUInt16LE(value);
    return bytes;
  };
  const long = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  return Buffer.concat([
    Buffer.from(signature, 'latin1'),
    ...shorts.map(short),
    ...longs.map(long),
    ...more.map(short),
  ]);
}
