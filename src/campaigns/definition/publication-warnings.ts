import { parseDefinition } from '../../domain/campaigns/definition/parse-definition.js';
import { WARNING_CODES, warningsOf } from '../../domain/campaigns/definition/warnings.js';
import { type CampaignVersion, DEFINITION_FORMAT } from './campaign-version.entity.js';

export const PUBLICATION_WARNING_CODES = ['CALLS_NOBODY', ...WARNING_CODES] as const;

/**
 * A part of a definition that is valid and probably unintended. The answers to a publication and to an
 * activation name it.
 */
export interface PublicationWarning {
  code: (typeof PUBLICATION_WARNING_CODES)[number];
  /** Within `definition`, such as `steps[0].retry.busy[1]`; empty for the whole definition. */
  path: string;
  message: string;
}

/** The warnings about versions that place no calls. */
const NO_CALLS: ReadonlySet<PublicationWarning['code']> = new Set(['CALLS_NOBODY', 'NO_STEPS']);

const STORED_BEFORE: PublicationWarning = {
  code: 'CALLS_NOBODY',
  path: '',
  message: 'The definition was stored before campaigns called, so it places no calls. Write the draft again.',
};

/**
 * Why a campaign that becomes active places no calls for new enrollments.
 *
 * @param current the version on which contacts are enrolled by default.
 * @param draft the draft of the campaign, if there is one.
 */
export function activationWarnings(
  current: Pick<CampaignVersion, 'definition' | 'definitionFormat'>,
  draft: Pick<CampaignVersion, 'definition' | 'definitionFormat'> | null,
): PublicationWarning[] {
  const hint =
    draft !== null && placesNoCalls(draft).length === 0 ? ' Publish the draft, which has steps.' : '';
  return placesNoCalls(current).map((warning) => ({ ...warning, message: warning.message + hint }));
}

function placesNoCalls(
  version: Pick<CampaignVersion, 'definition' | 'definitionFormat'>,
): PublicationWarning[] {
  return publicationWarnings(version, false).filter(({ code }) => NO_CALLS.has(code));
}

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
