import { parseDefinition } from '../../domain/campaigns/definition/parse-definition.js';
import { WARNING_CODES, warningsOf } from '../../domain/campaigns/definition/warnings.js';
import { type CampaignVersion, DEFINITION_FORMAT } from './campaign-version.entity.js';

export const PUBLICATION_WARNING_CODES = ['CALLS_NOBODY', ...WARNING_CODES] as const;

/** A part of a definition that is valid and probably unintended. The answer to a publication names it. */
export interface PublicationWarning {
  code: (typeof PUBLICATION_WARNING_CODES)[number];
  /** Within `definition`, such as `steps[0].retry.busy[1]`; empty for the whole definition. */
  path: string;
  message: string;
}

const STORED_BEFORE: PublicationWarning = {
  code: 'CALLS_NOBODY',
  path: '',
  message: 'The definition was stored before campaigns called, so it places no calls. Write the draft again.',
};

/**
 * The warnings about a version. A definition of another format is not read, because the version places no
 * calls.
 *
 * @param retryWithinRedialWindow the team's setting.
 */
export function publicationWarnings(
  version: Pick<CampaignVersion, 'definition' | 'definitionFormat'>,
  retryWithinRedialWindow: boolean,
): PublicationWarning[] {
  if (version.definitionFormat !== DEFINITION_FORMAT) return [STORED_BEFORE];
  const parsed = parseDefinition(version.definition);
  return parsed.ok ? warningsOf(parsed.value, retryWithinRedialWindow) : [STORED_BEFORE];
}
