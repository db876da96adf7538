import { type ConsentResource, type ConsentState } from '../../consents/consent.dto.js';
import { type ConsentLevel, type Purpose, type Voice } from '../../domain/compliance/pack.js';
import { type Mood } from '../frame/controls.js';

export const LEVEL_WORDS: Record<ConsentLevel, string> = {
  express: 'Express',
  expressWritten: 'Express, in writing',
};

export const PURPOSE_WORDS: Record<Purpose, string> = {
  marketing: 'Marketing',
  informational: 'Information',
  debt: 'Debt collection',
  survey: 'Surveys',
};

export const VOICE_WORDS: Record<Voice, string> = {
  ai: 'AI voice',
  prerecorded: 'Prerecorded voice',
  live: 'Live person',
};

export const STATE_WORDS: Record<ConsentState, { label: string; mood: Mood }> = {
  in_force: { label: 'In force', mood: 'good' },
  expired: { label: 'Expired', mood: '' },
  revoked: { label: 'Revoked', mood: 'bad' },
  opted_out: { label: 'Opted out', mood: 'bad' },
};

/** What the consent is for, such as `Marketing · AI voice`. */
export function extentOf({ purpose, voice }: Pick<ConsentResource, 'purpose' | 'voice'>): string {
  return [
    purpose === null ? 'Every purpose' : PURPOSE_WORDS[purpose],
    voice === null ? 'Every voice' : VOICE_WORDS[voice],
  ].join(' · ');
}
