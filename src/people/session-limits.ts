/** A session ends after so many hours without a request, and in any case after so many days. */
export const IDLE_HOURS = 12;
export const LONGEST_DAYS = 14;
