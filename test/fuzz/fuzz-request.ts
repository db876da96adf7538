import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** How the body's end is told: truthfully, or not. */
export const FRAMINGS = [
  'length',
  'chunked',
  'none',
  'too short',
  'too long',
  'both',
  'no number',
  'broken chunk',
  'cut chunk',
  'twice',
] as const;
export type Framing = (typeof FRAMINGS)[number];

export type Packing =
  'plain' | 'gzip' | 'deflate' | 'br' | 'broken gzip' | 'cut gzip' | 'claimed gzip' | 'zip bomb';

/**
 * A request as data, so that a minimal one can be printed. In texts, `<own.contactId>` stands for an id of
 * the moment.
 */
export interface FuzzRequest {
  method: string;
  target: string;
  headers: [string, string][];
  /** Characters up to U+00FF are bytes where `bytes` is set; else the text goes out as UTF-8. */
  body: { text: string; bytes: boolean; packing: Packing } | null;
  framing: Framing;
  /** Sent behind the request on the same connection. */
  behind: string;
}

// 20 MB in 20 KB.
const ZIP_BOMB = gzipSync(Buffer.alloc(20_000_000, '['));

export type Fills = Record<string, string>;

/** Whether the request promises more than it sends, so that a server rightly waits for the rest. */
export function isCutOff({ framing, body, headers }: FuzzRequest): boolean {
  const promises = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  return promises || (body !== null && (framing === 'too long' || framing === 'cut chunk'));
}

/** Whether the protocol itself is broken: Node answers that by itself, without a body, or just hangs up. */
export function isBroken(request: FuzzRequest): boolean {
  const { framing, body, headers, target, method, behind } = request;
  const framed = framing === 'length' || framing === 'chunked';
  return (
    behind !== '' ||
    (body !== null && !framed) ||
    method === 'CONNECT' ||
    !/^[/*h][\x21-\x7e]*$/.test(target) ||
    target.length + headers.join().length > 12_000 ||
    headers.some(([name, value]) => SENSITIVE.test(name) || /[^\x20-\x7e]/.test(name + value))
  );
}

// Headers that are the protocol's own, or are none.
const SENSITIVE = /^(?:host|content-length|transfer-encoding|expect|upgrade|.* .*)$/i;

export function bytesOf(request: FuzzRequest, fills: Fills): Buffer {
  const filled = (text: string) => fill(text, fills);
  const { method, target, headers, body, framing, behind } = request;
  const packed = body === null ? null : pack(filled(body.text), body.bytes, body.packing);
  const { head, payload } = frame(packed, framing);
  const lines = [
    `${method} ${filled(target)} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    ...headers.map(([name, value]) => `${name}: ${filled(value)}`),
    ...encodingOf(body?.packing),
    ...head,
  ];
  const start = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return Buffer.concat([start, payload, Buffer.from(behind, 'latin1')]);
}

function fill(text: string, fills: Fills): string {
  return text.replace(/<([\w.]+)>/g, (hole, name: string) => fills[name] ?? hole);
}

/** The body as JSON, where it is that and was sent in full. */
export function filledBody({ body, framing }: FuzzRequest, fills: Fills): unknown {
  if (body === null || body.bytes || (framing !== 'length' && framing !== 'chunked')) return undefined;
  try {
    return JSON.parse(fill(body.text, fills).replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** For people: the bytes as they went out, long ones shortened. */
export function shown(request: FuzzRequest): string {
  const text = JSON.stringify(request, null, 2);
  return text.length > 3_000 ? `${text.slice(0, 3_000)}… (${text.length} characters)` : text;
}

function pack(text: string, bytes: boolean, packing: Packing): Buffer {
  const plain = Buffer.from(text, bytes ? 'latin1' : 'utf8');
  switch (packing) {
    case 'plain':
    case 'claimed gzip':
      return plain;
    case 'gzip':
      return gzipSync(plain);
    case 'deflate':
      return deflateSync(plain);
    case 'br':
      return brotliCompressSync(plain);
    case 'broken gzip': {
      const packed = gzipSync(plain);
      packed.fill(0xff, 10, Math.min(packed.length, 20));
      return packed;
    }
    case 'cut gzip':
      return gzipSync(plain).subarray(0, 15);
    case 'zip bomb':
      return ZIP_BOMB;
  }
}

function encodingOf(packing: Packing | undefined): string[] {
  if (packing === undefined || packing === 'plain') return [];
  const name = packing === 'deflate' || packing === 'br' ? packing : 'gzip';
  return [`Content-Encoding: ${name}`];
}

function frame(body: Buffer | null, framing: Framing): { head: string[]; payload: Buffer } {
  const nothing = { head: [], payload: Buffer.alloc(0) };
  if (body === null) return nothing;
  const size = body.length.toString(16);
  const chunked = Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
  const emptyIsEnd = body.length === 0 ? Buffer.from('0\r\n\r\n') : chunked;
  switch (framing) {
    case 'length':
      return { head: [`Content-Length: ${body.length}`], payload: body };
    case 'chunked':
      return { head: ['Transfer-Encoding: chunked'], payload: emptyIsEnd };
    case 'none':
      return { head: [], payload: body };
    case 'too short':
      return { head: [`Content-Length: ${Math.floor(body.length / 2)}`], payload: body };
    case 'too long':
      return { head: [`Content-Length: ${body.length + 1_000}`], payload: body };
    case 'both':
      return { head: [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'], payload: emptyIsEnd };
    case 'no number':
      return { head: ['Content-Length: many'], payload: body };
    case 'broken chunk':
      return {
        head: ['Transfer-Encoding: chunked'],
        payload: Buffer.concat([Buffer.from('zz\r\n'), body]),
      };
    case 'cut chunk':
      return {
        head: ['Transfer-Encoding: chunked'],
        payload: Buffer.concat([Buffer.from(`${(body.length + 100).toString(16)}\r\n`), body]),
      };
    case 'twice':
      return {
        head: [`Content-Length: ${body.length}`, `Content-Length: ${body.length + 1}`],
        payload: body,
      };
  }
}
