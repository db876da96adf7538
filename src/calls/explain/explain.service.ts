import { Injectable } from '@nestjs/common';
import { teamOfKey } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { PackIndex } from '../../domain/compliance/pack-index.js';
import { ErasedForms } from '../../domain/erased-number.js';
import { windowFault } from '../../domain/call-window.js';
import { decideTrigger } from '../../domain/trigger-decision.js';
import { findErasedFacts } from '../../dialing/facts/facts.js';
import { refused, type TriggerResult } from '../trigger/command.js';
import { refusedBy } from '../trigger/access.js';
import { accessOf, TriggerBatchFacts } from '../trigger/facts.js';
import { type IncomingTrigger, readCommand } from '../trigger/trigger.service.js';
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
    private readonly packs: PackIndex,
  ) {}

  /** @throws the database's error. An `Idempotency-Key` has no effect. */
  async explain(incoming: IncomingTrigger): Promise<ExplainResult> {
    const { agentId, keyHash } = incoming;
    const unkeyed = { ...incoming, idempotencyKey: { ok: true, value: null } as const };
    const read = await readCommand(this.transactions, unkeyed);
    if (!read.ok) return read.refused;
    const { command } = read;
    const { phoneNumber, fromPhoneNumber, numberPoolId, teamId, window } = command.request;
    return this.transactions.within(teamOfKey(keyHash)).transact<ExplainResult>(async (transaction) => {
      const [, factsRead, scriptRead] = await transaction.send([
        query(READ_ONLY),
        query(EXPLAIN_FACTS, [keyHash], [agentId], [phoneNumber], [fromPhoneNumber], [numberPoolId]),
        query(EXPLAIN_SCRIPT, keyHash, agentId, phoneNumber, numberPoolId),
      ]);
      if (factsRead === undefined) throw new Error('No facts were read about the request');
      const batch = TriggerBatchFacts.withoutLocks(factsRead, this.packs);
      const row = batch.rowOf(0);
      const refusal = refusedBy(accessOf(row), teamId);
      if (refusal?.kind === 'denied') return refused(refusal.reason);
      if (refusal !== null) return refused('INVALID_REQUEST', OTHER_TEAM);
      const fault = windowFault(window, row.now);
      if (fault !== null) return refused('INVALID_REQUEST', fault.message, [fault], command.warned);
      const erasable = batch.erasableNumbers([command]);
      const facts = batch.factsOf(
        command,
        0,
        await findErasedFacts(transaction, this.erasedNumbers, erasable),
      );
      const decision = decideTrigger(facts, row.now, window);
      if (decision.kind === 'refused') return refused(decision.reason);
      const script = scriptRead?.rows[0] as ScriptRow | undefined;
      // The agent was deleted, or the key revoked, between the two statements.
      if (script === undefined) return refused('AGENT_NOT_FOUND');
      return { kind: 'explained', explanation: explanationOf(command, facts, decision, script, row.now) };
    });
  }
}

const OTHER_TEAM = 'teamId must be the team of the API key';
