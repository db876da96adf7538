import { type CarrierDefinition } from './carrier-definition.js';
import { elevenlabs } from './elevenlabs/definition.js';
import { http } from './http/definition.js';
import { livekit } from './livekit/definition.js';
import { retell } from './retell/definition.js';
import { simulator } from './simulator/definition.js';
import { twilio } from './twilio/definition.js';
import { vapi } from './vapi/definition.js';

/** Every carrier that `CARRIER` and a voice agent may name, in the order of `.env.example`. */
export const CARRIERS = [simulator, http, twilio, livekit, retell, vapi, elevenlabs] as const;

export type CarrierName = (typeof CARRIERS)[number]['name'];

export const CARRIER_NAMES: readonly CarrierName[] = CARRIERS.map(({ name }) => name);

/** The carriers that erase their calls when their person is erased. */
export const ERASING_CARRIERS: readonly CarrierName[] = CARRIERS.flatMap(
  (carrier: { name: CarrierName; erasesCalls?: true }) => (carrier.erasesCalls ? [carrier.name] : []),
);

type OwnConfigOf<D> = D extends CarrierDefinition<string, infer Own> ? (own: Own) => void : never;

/** The variables of all carriers. */
export type CarrierConfig =
  OwnConfigOf<(typeof CARRIERS)[number]> extends (own: infer All) => void ? All & object : never;
