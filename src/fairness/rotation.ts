/**
 * Values by key, in the order in which they are served. A new key is last, and so is a key that was served.
 * So between two services of one key, each other key that is ready is served.
 */
export class Rotation<Value> implements Iterable<[key: string, value: Value]> {
  /** A Map is iterated in the order of insertion. */
  private readonly values = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.values.get(key);
  }

  /** The value of the key. A new key is last, with the value that `create` returns. */
  getOrAdd(key: string, create: () => Value): Value {
    let value = this.values.get(key);
    if (value === undefined) this.values.set(key, (value = create()));
    return value;
  }

  delete(key: string): void {
    this.values.delete(key);
  }

  /** The key was served, so it is last from now on. */
  moveToEnd(key: string): void {
    const value = this.values.get(key);
    if (value === undefined) return;
    this.values.delete(key);
    this.values.set(key, value);
  }

  /** From the key that is served next. A key that is moved to the end meanwhile is reached again. */
  [Symbol.iterator](): MapIterator<[key: string, value: Value]> {
    return this.values[Symbol.iterator]();
  }
}
