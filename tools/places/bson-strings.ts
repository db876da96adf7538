/** The element type of a text in UTF-8, see https://bsonspec.org/spec.html. */
const TEXT = 2;

/**
 * Reads a BSON document whose values are texts: its size, then for each element the type, the name up to a zero byte, the
 * text's size and the text. Throws a RangeError for an element of another type.
 */
export function readBsonStrings(bson: Buffer): Map<string, string> {
  const texts = new Map<string, string>();
  const end = bson.readInt32LE(0) - 1;
  for (let at = 4; at < end;) {
    const type = bson.readUInt8(at);
    if (type !== TEXT) throw new RangeError(`element ${texts.size} has the type ${type}, and is no text`);
    const nameEnd = bson.indexOf(0, at + 1);
    const name = bson.toString('utf8', at + 1, nameEnd);
    const size = bson.readInt32LE(nameEnd + 1);
    const text = nameEnd + 5;
    texts.set(name, bson.toString('utf8', text, text + size - 1));
    at = text + size;
  }
  return texts;
}
