/**
 * Injects the names of the configured carriers that have a calls-per-second limit (`readonly string[]`). The
 * carriers provide the names. Each of these carriers has a queue for its waiting calls.
 */
export const PACED_CARRIERS = Symbol('paced carriers');
