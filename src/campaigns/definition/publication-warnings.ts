import { parseDefinition } from '../../domain/campaigns/definition/parse-definition.js';
import { WARNING_CODES, warningsOf } from '../../domain/campaigns/definition/warnings.js';
import { type CampaignVersion, DEFINITION_FORMAT } from './campaign-version.entity.js';

export const PUBLICATION_WARNING_CODES = ['CALLS_NOBODY', ...WARNING_CODES] as const;

/** What is valid and probably not meant, as the publication of a version answers it. */
export interface PublicationWarning {
  code: (typeof PUBLICATION_WARNING_CODES)[number];
  /** Within `definition`, such as `steps[0].retry.busy[1]`; empty for all of it. */
  path: string;
  message: string;
}

const STORED_BEFORE: PublicationWarning = {
  code: 'CALLS_NOBODY',
  path: '',
  message: 'The definition was stored before campaigns called, so it places no calls. Write the draft again.',
};

/**
 * A definition of another format is not read: the version places no calls, whatever its contents.
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
