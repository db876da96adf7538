import { described, objectOf, oneOf, TEXT_SCHEMA } from '../../http/json-schema.js';
import { PUBLICATION_WARNING_CODES, type PublicationWarning } from './publication-warnings.js';

export const PUBLICATION_WARNING = objectOf<PublicationWarning>('PublicationWarning', {
  code: oneOf(PUBLICATION_WARNING_CODES),
  path: described(
    TEXT_SCHEMA,
    'The path within `definition`, such as `steps[0].retry.busy[1]`. Empty for the whole definition.',
  ),
  message: TEXT_SCHEMA,
});
