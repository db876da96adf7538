export const CALLBACK_TOKEN = 'callback-token-of-the-faults';
export const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 'of the faults').toString('base64')}`;

/** Carriers that the harness can stand behind: the simulator's process speaks for each. */
export const FAULT_CARRIERS = ['simulator', 'http'] as const;
export type FaultCarrier = (typeof FAULT_CARRIERS)[number];

/** What a process is told of the carrier behind its proxy; the patience is the same with each. */
export function settingsOf(carrier: FaultCarrier, url: string, publicUrl: string): NodeJS.ProcessEnv {
  switch (carrier) {
    case 'simulator':
      return { SIMULATOR_URL: url, SIMULATOR_CALLBACK_TOKEN: CALLBACK_TOKEN };
    case 'http':
      return {
        ...{
          HTTP_CARRIER_URL: `${url}/v1/calls`,
          HTTP_CARRIER_SECRET: SIGNING_SECRET,
          PUBLIC_URL: publicUrl,
        },
        ...{ HTTP_CARRIER_ALLOW_PRIVATE: 'true', HTTP_CARRIER_TIMEOUT_MS: '5000' },
      };
  }
}
