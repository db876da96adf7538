import { Injectable } from '@nestjs/common';
import { team, teamOfKey } from '../../database/team-scope.js';
import { query, type Scope, type Statement, Transactions } from '../../database/transactions.js';
import { PackIndex } from '../../domain/compliance/pack-index.js';
import { ErasedForms } from '../../domain/erased-number.js';
import { windowFault } from '../../domain/call-window.js';
import { decideTrigger } from '../../domain/trigger-decision.js';
import { findErasedFacts } from '../../dialing/facts/facts.js';
import { refused, type TriggerCommand, type TriggerResult } from '../trigger/command.js';
import { refusedBy } from '../trigger/access.js';
import { accessOf, TriggerBatchFacts } from '../trigger/facts.js';
import { type IncomingTrigger, readCommand } from '../trigger/trigger.service.js';
import { parseTriggerRequest } from '../trigger/request.js';
import { EXPLAIN_FACTS, EXPLAIN_FACTS_OF_TEAM } from '../trigger/trigger.sql.js';
import { type TeamOfNumbers } from '../../teams/own-team.service.js';
import { explanationOf, type Explanation } from './explain.js';
import { EXPLAIN_SCRIPT, EXPLAIN_SCRIPT_OF_TEAM, READ_ONLY, type ScriptRow } from './explain.sql.js';

export type ExplainResult = { kind: 'explained'; explanation: Explanation } | TriggerResult;

/** Whose rows a dry run reads: those of the team of an API key, or of a team. */
interface Caller {
  /** SHA-256 of the key, or the team. */
  id: Buffer | string;
  scope: Scope;
  facts: Statement;
  script: Statement;
}

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
    const { keyHash } = incoming;
    const unkeyed = { ...incoming, idempotencyKey: { ok: true, value: null } as const };
    const read = await readCommand(this.transactions, unkeyed);
    if (!read.ok) return read.refused;
    return this.explainFor(read.command, {
      id: keyHash,
      scope: teamOfKey(keyHash),
      facts: EXPLAIN_FACTS,
      script: EXPLAIN_SCRIPT,
    });
  }

  /**
   * Explains what a trigger of the team would do, for a page, whose viewer has no key.
   *
   * @param phoneNumber in E.164.
   * @throws the database's error.
   */
  async explainOf(
    { id: teamId, defaultCountry, acceptUnknownRanges }: TeamOfNumbers,
    agentId: string,
    phoneNumber: string,
  ): Promise<ExplainResult> {
    const parsed = parseTriggerRequest({ phoneNumber }, defaultCountry, acceptUnknownRanges);
    if (!parsed.ok) return refused(parsed.reason, parsed.message, parsed.problems);
    const command = { agentId, request: parsed.value, warned: {} };
    return this.explainFor(command, {
      id: teamId,
      scope: team(teamId),
      facts: EXPLAIN_FACTS_OF_TEAM,
      script: EXPLAIN_SCRIPT_OF_TEAM,
    });
  }

  private async explainFor(
    command: Pick<TriggerCommand, 'agentId' | 'request' | 'warned'>,
    caller: Caller,
  ): Promise<ExplainResult> {
    const { agentId, request } = command;
    const { phoneNumber, fromPhoneNumber, numberPoolId, teamId, window } = request;
    return this.transactions.within(caller.scope).transact<ExplainResult>(async (transaction) => {
      const [, factsRead, scriptRead] = await transaction.send([
        query(READ_ONLY),
        query(caller.facts, [caller.id], [agentId], [phoneNumber], [fromPhoneNumber], [numberPoolId]),
        query(caller.script, caller.id, agentId, phoneNumber, numberPoolId),
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
