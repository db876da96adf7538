/**
 * Tokens a second. A bucket holds one second's tokens. At this rate that is never a whole one: every request is
 * refused.
 */
export const NEVER = 0.6;
