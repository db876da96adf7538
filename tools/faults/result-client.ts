import { type OptOutRecord } from './history.js';
import { type HttpAnswer, request } from './http-request.js';
import { type Caller } from './trigger-client.js';

const OPT_OUT = { optOut: true };
const SIMULTANEOUS = 3;

/** What may be wrong with the result that opts out; an opt-out is carried out with each. */
export const OPT_OUT_WAYS = ['once', 'twice', 'contradicting', 'malformed', 'simultaneous'] as const;
export type OptOutWay = (typeof OPT_OUT_WAYS)[number];

/** Reports results of calls that opt out, by the teams' keys, and remembers the answers. */
export class ResultClient {
  readonly optOuts: OptOutRecord[] = [];

  /** @param areReported whether the carrier's reports have the results of calls. */
  constructor(
    private readonly apiUrl: string,
    readonly areReported: boolean,
  ) {}

  async optOut(caller: Caller, callRequestId: string, way: OptOutWay): Promise<void> {
    for (const results of resultsOf(way)) {
      await Promise.all(results.map((result) => this.report(caller, callRequestId, result)));
    }
  }

  private async report({ apiKey }: Caller, callRequestId: string, result: object): Promise<void> {
    const url = `${this.apiUrl}/api/calls/${callRequestId}/result`;
    const answer = await request('POST', url, apiKey, result);
    if ('optOut' in result && isCarriedOut(answer)) {
      this.optOuts.push({ callRequestId, answeredAt: Date.now() });
    }
  }
}

/** The result is taken, another one than the first or before the claim (409), or malformed (400). */
const isCarriedOut = ({ status }: HttpAnswer) => status === 200 || status === 400 || status === 409;

/** One after the other; those of one list at the same time. */
function resultsOf(way: OptOutWay): object[][] {
  switch (way) {
    case 'once':
      return [[OPT_OUT]];
    case 'twice':
      return [[OPT_OUT], [OPT_OUT]];
    case 'contradicting':
      return [[{ disposition: 'interested' }], [{ disposition: 'angry', ...OPT_OUT }]];
    case 'malformed':
      return [[{ disposition: 7, ...OPT_OUT }]];
    case 'simultaneous':
      return [Array.from({ length: SIMULTANEOUS }, (_, n) => ({ disposition: `said ${n}`, ...OPT_OUT }))];
  }
}
