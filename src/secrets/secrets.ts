import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Where a sealed value stands. A value that is copied to another place does not open there. */
export interface SecretPlace {
  table: string;
  column: string;
  /** The primary key of the row. */
  id: string;
}

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 6;

/** `v1.<key id>.<nonce>.<ciphertext and tag>`; the parts are base64url without padding. */
const SEALED = /^v1\.([\w-]{8})\.([\w-]{16})\.([\w-]{22,})$/;

/** A sealed value cannot be opened. The message names the column, never the value, the row or a key. */
export class SecretNotOpened extends Error {
  constructor(place: SecretPlace, why: string) {
    super(`${place.table}.${place.column} cannot be opened: ${why}`);
    this.name = 'SecretNotOpened';
  }
}

/**
 * Secrets at rest: AES-256-GCM with a random nonce of 96 bits. The place is authenticated with the value.
 * Values are sealed under the current key, and open under the current and the previous one.
 */
export class Secrets {
  private readonly current: SealingKey;
  private readonly keys: ReadonlyMap<string, SealingKey>;

  /**
   * @param key `SECRETS_KEY`.
   * @param previous `SECRETS_KEY_PREVIOUS`, while values that are sealed under it remain.
   */
  constructor(key: string, previous?: string) {
    this.current = sealingKey(key);
    const all = previous === undefined ? [this.current] : [sealingKey(previous), this.current];
    this.keys = new Map(all.map((each) => [each.id, each]));
  }

  seal(text: string, place: SecretPlace): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.current.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(authenticated(this.current.id, place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, this.current.id, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** @throws SecretNotOpened if the value is not sealed, is sealed under another key, or is not of this place. */
  open(sealed: string, place: SecretPlace): string {
    const [, id, nonce, body] = SEALED.exec(sealed) ?? [];
    if (id === undefined || nonce === undefined || body === undefined) {
      throw new SecretNotOpened(place, 'it is not a sealed value');
    }
    const key = this.keys.get(id);
    if (key === undefined) {
      throw new SecretNotOpened(place, 'it is sealed under neither SECRETS_KEY nor SECRETS_KEY_PREVIOUS');
    }
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv(CIPHER, key.key, Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(authenticated(id, place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(0, -TAG_BYTES));
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      throw new SecretNotOpened(place, 'it was changed, or was sealed for another place');
    }
  }

  /** Whether a value is in plain text or under the previous key, and is to be sealed again. */
  isOutdated(value: string): boolean {
    return SEALED.exec(value)?.[1] !== this.current.id;
  }
}

/** Whether a value has the form of a sealed one. Values from before the first `SECRETS_KEY` have not. */
export function isSealed(value: string): boolean {
  return SEALED.test(value);
}

interface SealingKey {
  id: string;
  key: Buffer;
}

/** The id is derived separately from the key, so that it tells nothing about it. */
function sealingKey(secret: string): SealingKey {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, '', `outdial secrets ${purpose}`, bytes));
  return { id: derive('id', KEY_ID_BYTES).toString('base64url'), key: derive('key', 32) };
}

/** As JSON, so that no two places have the same bytes. */
function authenticated(keyId: string, { table, column, id }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([VERSION, keyId, table, column, id]));
}
