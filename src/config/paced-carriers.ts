/**
 * Injects the names of the configured carriers that have a calls-per-second limit (`readonly string[]`). The
 * carriers provide them; the queue has a list of waiting calls for each.
 */
export const PACED_CARRIERS = Symbol('paced carriers');
