import { IsOneOf } from '../../http/operator-validators.js';

/** The states that a call in `dial_unknown` can end in. */
export const RESOLUTIONS = ['completed', 'no_answer', 'busy', 'voicemail', 'failed'] as const;

/** What an operator found out about a call in `dial_unknown`. */
export class Resolution {
  @IsOneOf(RESOLUTIONS)
  outcome: (typeof RESOLUTIONS)[number];
}
