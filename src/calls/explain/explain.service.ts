import { Injectable } from '@nestjs/common';
import { teamOfKey } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { ErasedForms } from '../../domain/erased-number.js';
import { keyWarnings, readKeyed } from '../../teams/keyed-request.js';
import { readErasedFacts } from '../../dialing/facts/facts.js';
import { refused, type TriggerResult } from '../trigger/command.js';
import { decide, decideEarly } from '../trigger/decide.js';
import { accessOf, teamOfFault, TriggerBatchFacts } from '../trigger/facts.js';
import { CALL_KEYS, parseTriggerRequest } from '../trigger/request.js';
import { type IncomingTrigger } from '../trigger/trigger.service.js';
import { EXPLAIN_FACTS } from '../trigger/trigger.sql.js';
import { explanationOf, type Explanation } from './explain.js';
import { EXPLAIN_SCRIPT, READ_ONLY, type ScriptRow } from './explain.sql.js';

export type ExplainResult = { kind: 'explained'; explanation: Explanation } | TriggerResult;

/**
 * Explains what a trigger would do, with the facts and the decision of the trigger. It stores nothing and
 * takes no lock.
 */
@Injectable()
export class ExplainService {
  constructor(
    private readonly transactions: Transactions,
    private readonly erasedNumbers: ErasedForms,
  ) {}

  /** @throws the database's error. An `Idempotency-Key` has no effect. */
  async explain(incoming: IncomingTrigger): Promise<ExplainResult> {
    const { agentId, keyHash, teamId, trace } = incoming;
    const unkeyed = { ...incoming, idempotencyKey: { ok: true, value: null } as const };
    const read = await readKeyed(unkeyed, parseTriggerRequest, () =>
      teamOfFault(this.transactions, agentId, keyHash),
    );
    const warned = keyWarnings(incoming, CALL_KEYS);
    if (!read.ok) return refused(read.reason, read.message, read.problems, warned);
    const request = read.value.value;
    const command = { teamId, agentId, keyHash, request, warned, key: null, trace };
    const { phoneNumber, fromPhoneNumber, numberPoolId } = request;
    const reads = [
      query(READ_ONLY),
      query(EXPLAIN_FACTS, [keyHash], [agentId], [phoneNumber], [fromPhoneNumber], [numberPoolId]),
      query(EXPLAIN_SCRIPT, keyHash, agentId, phoneNumber, numberPoolId),
    ];
    return this.transactions
      .within(teamOfKey(keyHash))
      .run<ExplainResult>(reads, ([, factsRead, scriptRead]) => {
        if (factsRead === undefined) throw new Error('No facts were read about the request');
        const facts = TriggerBatchFacts.withoutLocks(factsRead);
        const row = facts.rowOf(0);
        const early = decideEarly(accessOf(row), request.teamId, () => ({ kind: 'unused' }));
        if (early?.kind === 'denied') return { rollback: refused(early.reason) };
        if (early !== null) return { rollback: refused('INVALID_REQUEST', OTHER_TEAM) };
        return readErasedFacts<ExplainResult>(
          this.erasedNumbers,
          facts.erasableNumbers([command]),
          (erased) => {
            const own = facts.factsOf(command, 0, erased);
            const decision = decide(own, row.now);
            if (decision.kind === 'refused') return { rollback: refused(decision.reason) };
            const script = scriptRead?.rows[0] as ScriptRow | undefined;
            // The agent was deleted, or the key revoked, between the two statements.
            if (script === undefined) return { rollback: refused('AGENT_NOT_FOUND') };
            const explanation = explanationOf(command, own, decision, script, row.now);
            return { rollback: { kind: 'explained', explanation } };
          },
        );
      });
  }
}

const OTHER_TEAM = 'teamId must be the team of the API key';
