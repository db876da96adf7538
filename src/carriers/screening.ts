/**
 * Whether a platform's word says that a screening bot answered, such as those of iOS and Pixel telephones, which
 * ask for the caller's concern before they ring. A person has not been reached then.
 */
export function isScreening(word: string): boolean {
  return /(?:^|[^a-z])(?:call|voice|spam|customer|bot)?[ _.-]?screen(?:ed|er|ing)?(?:$|[^a-z])/i.test(word);
}

/** The value of `answeredBy` in the result of a call that a screening bot answered. */
export const SCREENING_BOT = 'screening_bot';
