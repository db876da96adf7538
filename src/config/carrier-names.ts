/** Every carrier that `CARRIER` and a voice agent may name. */
export const CARRIER_NAMES = ['simulator'] as const;

export type CarrierName = (typeof CARRIER_NAMES)[number];
