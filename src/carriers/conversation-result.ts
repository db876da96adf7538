import { DISPOSITION } from '../domain/campaigns/definition/parse-step.js';
import { jsonBytes, MAX_JSON_BYTES } from '../http/validators.js';
import { type CarrierCallResult } from './carrier.js';
import { isRecord } from './report-body.js';

/** What a platform of voice agents tells about a conversation after its end. */
export interface Conversation {
  summary?: string | null;
  transcript?: string | null;
  recordingUrl?: string | null;
  /** Whatever the platform found out, such as fields that its user defined. */
  analysis?: Record<string, unknown> | null;
  /** Who answered, if it was no person and the platform names it. */
  answeredBy?: string | null;
}

/** Where in `analysis` two answers stand: names with dots between them. */
export interface ResultPaths {
  /** Whether the person asks not to be called again. */
  optOutPath?: string;
  dispositionPath?: string;
}

const MAX_SUMMARY = 8_000;
const MAX_URL = 2_000;
const MAX_ANALYSIS_BYTES = 24 * 1024;
/** Room for the other names and for the marks of what was cut. */
const MARGIN_BYTES = 512;
/** Deeper values are left out, as Postgres and readers have limits of their own. */
const MAX_DEPTH = 20;
const MAX_DISPOSITION = 80;

/**
 * The result of a call from what a platform tells of its conversation. `data` has `summary`, `transcript`,
 * `recordingUrl`, `analysis` and `answeredBy`, together at most 64 KB. A longer transcript is cut, and `transcriptCut` is true;
 * a larger analysis is left out, and `analysisCut` is true. The paths are read before anything is cut.
 *
 * @returns undefined if there is nothing to tell.
 */
export function conversationResult(
  conversation: Conversation,
  { optOutPath, dispositionPath }: ResultPaths,
): CarrierCallResult | undefined {
  const analysis = conversation.analysis ?? {};
  const optOut = optOutPath !== undefined && isYes(valueAt(analysis, optOutPath));
  const disposition =
    dispositionPath === undefined ? null : dispositionOf(valueAt(analysis, dispositionPath));
  const data = boundedData(conversation);
  if (!optOut && disposition === null && Object.keys(data).length === 0) return undefined;
  return { disposition, callbackAt: null, optOut, data: Object.keys(data).length === 0 ? null : data };
}

function boundedData(conversation: Conversation): Record<string, unknown> {
  const { summary, transcript, recordingUrl, analysis, answeredBy } = conversation;
  const data: Record<string, unknown> = {};
  if (answeredBy) data.answeredBy = answeredBy;
  if (summary) data.summary = wellFormed(storable(summary).slice(0, MAX_SUMMARY));
  if (recordingUrl && recordingUrl.length <= MAX_URL) data.recordingUrl = storable(recordingUrl);
  if (analysis && Object.keys(analysis).length > 0) {
    const kept = storableValue(analysis, 0);
    if (jsonBytes(kept) <= MAX_ANALYSIS_BYTES) data.analysis = kept;
    else data.analysisCut = true;
  }
  if (transcript) {
    const room = MAX_JSON_BYTES - jsonBytes(data) - MARGIN_BYTES;
    const whole = storable(transcript);
    data.transcript = beginningOf(whole, room);
    if (data.transcript !== whole) data.transcriptCut = true;
  }
  return data;
}

/** The longest beginning of a text, by halving, whose JSON has at most `bytes`. */
function beginningOf(text: string, bytes: number): string {
  if (jsonBytes(text) <= bytes) return text;
  let [fits, tooLong] = [0, Math.min(text.length, bytes)];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (jsonBytes(wellFormed(text.slice(0, middle))) <= bytes) fits = middle;
    else tooLong = middle;
  }
  return wellFormed(text.slice(0, fits));
}

/** Postgres stores neither NUL nor half a surrogate pair. */
function storable(text: string): string {
  return wellFormed(text.replaceAll('\u0000', ''));
}

/** With U+FFFD for each half of a surrogate pair. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function storableValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => storableValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [storable(name), storableValue(item, depth + 1)]),
  );
}

function valueAt(analysis: Record<string, unknown>, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      analysis,
    );
}

function isYes(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*(?:true|yes)\s*$/i.test(value);
  return value === true;
}

function dispositionOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = wellFormed(storable(String(value)).trim().slice(0, MAX_DISPOSITION));
  return DISPOSITION.test(text) ? text : null;
}
