import {
  type CallerIdCandidates,
  type CallerIdChoice,
  type CallerIdFacts,
  pickCallerId,
  resolveCallerId,
} from '../../src/domain/caller-id.js';
import { expectEqual, expectSame } from '../support/compare.js';
import { combinations, deepFreeze } from './support/facts.js';

/** A source as the table writes it; `any` stands for every alternative. */
type Cell = 'unset' | 'good' | 'bad';
interface Sources {
  fromNumber: Cell;
  requestPool: Cell;
  agentPool: Cell;
  agentNumber: Cell;
}
type Row<Result> = { [K in keyof Sources]: readonly Cell[] } & { says: string; result: Result };

const any: readonly Cell[] = ['unset', 'good', 'bad'];
const unset: readonly Cell[] = ['unset'];
const good: readonly Cell[] = ['good'];
const bad: readonly Cell[] = ['bad'];
const notBad: readonly Cell[] = ['unset', 'good'];

const EVERY_CASE = combinations<Sources>({
  fromNumber: any,
  requestPool: any,
  agentPool: any,
  agentNumber: any,
});

const fits = (row: Row<unknown>, sources: Sources) =>
  (Object.keys(sources) as (keyof Sources)[]).every((source) => row[source].includes(sources[source]));

const casesOf = (row: Row<unknown>) => EVERY_CASE.filter((sources) => fits(row, sources));

/** The combinations that no row or several rows decide. A correct table has none. */
const notDecidedOnce = (table: readonly Row<unknown>[]) =>
  EVERY_CASE.filter((sources) => table.filter((row) => fits(row, sources)).length !== 1);

describe('at request time (contract 4.1, rules 3 and 4)', () => {
  const refused = (reason: (CallerIdChoice & { ok: false })['reason']): CallerIdChoice => ({
    ok: false,
    reason,
  });
  const chosen = (source: (CallerIdChoice & { ok: true })['source']): CallerIdChoice => ({
    ok: true,
    source,
  });

  const usable = (cell: Cell) => (cell === 'unset' ? null : { usable: cell === 'good' });
  /** A pool is bad in several ways. */
  const BAD_POOLS = [
    { known: false, usable: false },
    { known: false, usable: true },
    { known: true, usable: false },
  ];
  const factsOf = (sources: Sources): CallerIdFacts[] => {
    const pools = { unset: [null], good: [{ known: true, usable: true }], bad: BAD_POOLS };
    return pools[sources.requestPool].map((requestPool) => ({
      requestPool,
      fromNumber: usable(sources.fromNumber),
      agentPool: usable(sources.agentPool),
      agentNumber: usable(sources.agentNumber),
    }));
  };

  const TABLE: Row<CallerIdChoice>[] = [
    {
      says: 'a bad fromPhoneNumber is refused, also when a pool is sent beside it',
      fromNumber: bad,
      requestPool: any,
      agentPool: any,
      agentNumber: any,
      result: refused('FROM_NUMBER_INVALID'),
    },
    {
      says: 'when both fromPhoneNumber and numberPoolId are sent, the pool is used',
      fromNumber: good,
      requestPool: good,
      agentPool: any,
      agentNumber: any,
      result: chosen('request_pool'),
    },
    {
      says: "the request's pool takes precedence over the agent's configuration",
      fromNumber: unset,
      requestPool: good,
      agentPool: any,
      agentNumber: any,
      result: chosen('request_pool'),
    },
    {
      says: 'an unknown or useless pool is refused: no falling through from a chosen pool',
      fromNumber: notBad,
      requestPool: bad,
      agentPool: any,
      agentNumber: any,
      result: refused('NUMBER_POOL_INVALID'),
    },
    {
      says: "fromPhoneNumber overrides the agent's configuration",
      fromNumber: good,
      requestPool: unset,
      agentPool: any,
      agentNumber: any,
      result: chosen('from_number'),
    },
    {
      says: "the agent's pool goes before its number",
      fromNumber: unset,
      requestPool: unset,
      agentPool: good,
      agentNumber: any,
      result: chosen('agent_pool'),
    },
    {
      says: "no falling through from the agent's pool to its number",
      fromNumber: unset,
      requestPool: unset,
      agentPool: bad,
      agentNumber: any,
      result: refused('NO_CALLER_ID'),
    },
    {
      says: "caller ID defaults to the agent's configured outbound number",
      fromNumber: unset,
      requestPool: unset,
      agentPool: unset,
      agentNumber: good,
      result: chosen('agent_number'),
    },
    {
      says: 'an agent whose number is unusable or missing has no caller ID',
      fromNumber: unset,
      requestPool: unset,
      agentPool: unset,
      agentNumber: ['unset', 'bad'],
      result: refused('NO_CALLER_ID'),
    },
  ];

  test.each(TABLE)('$says', (row) => {
    const cases = casesOf(row).flatMap(factsOf);
    expect(cases.length).toBeGreaterThan(0);
    for (const facts of cases) expectEqual(resolveCallerId(deepFreeze(facts)), row.result);
  });

  test('the table covers every combination exactly once', () => {
    expect(notDecidedOnce(TABLE)).toEqual([]);
  });

  test('the caller ID that is resolved at the request is used at the claim if nothing changes', () => {
    const names = {
      request_pool: 'requestPool',
      from_number: 'fromNumber',
      agent_pool: 'agentPool',
    } as const;
    for (const sources of EVERY_CASE) {
      for (const facts of factsOf(sources)) {
        const choice = resolveCallerId(facts);
        if (!choice.ok) continue;
        const source = choice.source === 'agent_number' ? 'agentNumber' : names[choice.source];
        expect(pickCallerId(candidatesOf(sources))).toBe(NUMBERS[source]);
      }
    }
  });
});

const NUMBERS: Record<keyof Sources, string> = {
  fromNumber: '+14155550101',
  requestPool: '+14155550102',
  agentPool: '+14155550103',
  agentNumber: '+14155550104',
};

function candidatesOf(sources: Sources): CallerIdCandidates {
  const pick = (source: keyof Sources) =>
    sources[source] === 'unset' ? null : { pick: sources[source] === 'good' ? NUMBERS[source] : null };
  return {
    requestPool: pick('requestPool'),
    fromNumber: pick('fromNumber'),
    agentPool: pick('agentPool'),
    agentNumber: pick('agentNumber'),
  };
}

describe('at the claim', () => {
  const first = (source: keyof Sources): Row<string | null>[] => {
    const order = ['requestPool', 'fromNumber', 'agentPool', 'agentNumber'] as const;
    const cells = Object.fromEntries(
      order.map((other) => [other, order.indexOf(other) < order.indexOf(source) ? unset : any]),
    ) as { [K in keyof Sources]: readonly Cell[] };
    return [
      {
        says: `${source} is the first that is set: its number`,
        ...cells,
        [source]: good,
        result: NUMBERS[source],
      },
      {
        says: `${source} is the first that is set and has none left: none`,
        ...cells,
        [source]: bad,
        result: null,
      },
    ];
  };
  const TABLE: Row<string | null>[] = [
    ...first('requestPool'),
    ...first('fromNumber'),
    ...first('agentPool'),
    ...first('agentNumber'),
    {
      says: 'nothing is set: none',
      fromNumber: unset,
      requestPool: unset,
      agentPool: unset,
      agentNumber: unset,
      result: null,
    },
  ];

  test.each(TABLE)('$says', (row) => {
    const cases = casesOf(row);
    expect(cases.length).toBeGreaterThan(0);
    for (const sources of cases) expectSame(pickCallerId(deepFreeze(candidatesOf(sources))), row.result);
  });

  test('the table covers every combination exactly once', () => {
    expect(notDecidedOnce(TABLE)).toEqual([]);
  });
});
