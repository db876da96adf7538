/** What is wrong with a pack. The message names the file, the rule and the field. */
export class PackError extends Error {
  override name = 'PackError';
}
