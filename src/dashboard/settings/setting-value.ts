import { PLATFORM_DAYS } from '../../domain/retention.js';
import { count } from '../design/local-time.js';
import { type SentFields } from '../frame/sent-fields.js';
import { type FieldSetting } from './setting-words.js';

/** A setting as a form has it. */
export interface TypedSetting {
  /** Of a setting with one line of text, and of a flag: `true` or empty. */
  text: string;
  /** Of a setting that is a choice with a text or a list: which choice. */
  mode: string;
  /** Of a setting with checkboxes. */
  chosen: readonly string[];
}

/** The choice of every value of a list, and of some. */
export const EVERY = 'every';
export const SOME = 'some';
/** The choices of a retention, beside {@link PLATFORM_DAYS}. */
export const DAYS = 'days';
export const WITHOUT_END = 'always';

/** The field that chooses between all and some. */
export const modeField = (name: string): string => `${name}.mode`;
/** The hidden field with the value that the form was made with, so that only what was changed is written. */
export const beforeField = (name: string): string => `before.${name}`;

/** @param value as a request has it. */
export function typedOf({ kind }: FieldSetting, value: unknown): TypedSetting {
  const typed = { text: '', mode: '', chosen: [] };
  switch (kind.type) {
    case 'flag':
      return { ...typed, text: value === true ? 'true' : '' };
    case 'countries':
      return { ...typed, mode: value === null ? EVERY : SOME, text: listOf(value).join(', ') };
    case 'carriers':
      return { ...typed, mode: value === null ? EVERY : SOME, chosen: listOf(value) };
    case 'days':
      if (value === PLATFORM_DAYS) return { ...typed, mode: PLATFORM_DAYS };
      return { ...typed, mode: value === null ? WITHOUT_END : DAYS, text: textOf(value) };
    case 'limit':
      return { ...typed, text: typeof value === 'number' ? count(value) : '' };
    case 'name':
    case 'timeZone':
    case 'country':
      return { ...typed, text: textOf(value) };
  }
}

/** What was typed; null: the form does not have the setting. */
export function typedIn({ name, kind }: FieldSetting, sent: SentFields): TypedSetting | null {
  if (![name, modeField(name), beforeField(name)].some((field) => sent.has(field))) return null;
  const text = sent.text(name).trim();
  const chosen = sent.all(name);
  const mode = sent.text(modeField(name));
  if (kind.type === 'countries') return { text, chosen: [], mode: mode || (text === '' ? EVERY : SOME) };
  if (kind.type === 'carriers')
    return { text: '', chosen, mode: mode || (chosen.length === 0 ? EVERY : SOME) };
  if (kind.type === 'days') return { text, chosen: [], mode: mode || (text === '' ? PLATFORM_DAYS : DAYS) };
  return { text, chosen: [], mode: '' };
}

/** The value as a request has it. A text that cannot be the value stays, so that the rule of the field refuses it. */
export function valueOf({ kind }: FieldSetting, { text, mode, chosen }: TypedSetting): unknown {
  switch (kind.type) {
    case 'flag':
      return text === 'true';
    case 'country':
      return text === '' ? null : text.toUpperCase();
    case 'countries':
      return mode === EVERY
        ? null
        : text
            .toUpperCase()
            .split(/[\s,;]+/)
            .filter((code) => code !== '');
    case 'carriers':
      return mode === EVERY ? null : [...chosen];
    case 'limit':
      return text === '' ? null : numberIn(text);
    case 'days':
      return mode === WITHOUT_END ? null : mode === DAYS ? numberIn(text) : PLATFORM_DAYS;
    case 'name':
    case 'timeZone':
      return text;
  }
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Digits, which people group by commas, blanks or points. */
function numberIn(text: string): number | string {
  const digits = /^\d{1,3}(?:[ ,.\u00a0]\d{3})+$/.test(text) ? text.replace(/\D/g, '') : text;
  return /^\d{1,15}$/.test(digits) ? Number(digits) : text;
}
