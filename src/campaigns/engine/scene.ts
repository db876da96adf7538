import { type ErasedFacts } from '../../dialing/facts/facts.js';
import { decideWithoutSteps } from '../../domain/campaigns/decide/decide.js';
import { type EnrollmentState } from '../../domain/campaigns/decide/enrollment.js';
import { type CampaignFacts, zoneOfContact } from '../../domain/campaigns/decide/facts.js';
import { type CampaignDefinition } from '../../domain/campaigns/definition/definition.js';
import { addDuration } from '../../domain/campaigns/duration.js';
import { type EngineDecision, WITHOUT_STEP } from './decide.js';
import { type EngineBatchFacts, stateOf } from './facts.js';
import { type EnrollmentFactsRow } from './facts.sql.js';

/** What `decide` decides by, and the end of the enrollment's lifetime; null: it has no end. */
export interface Scene {
  decision: null;
  state: EnrollmentState;
  definition: CampaignDefinition;
  facts: CampaignFacts;
  lifetimeAt: Date | null;
}

/** The decision about an enrollment from whose step no call can follow. */
export interface WithoutCalls {
  decision: EngineDecision;
  lifetimeAt: Date | null;
}

export function sceneOf(
  row: EnrollmentFactsRow,
  batch: EngineBatchFacts,
  erased: ErasedFacts,
): Scene | WithoutCalls {
  const definition = batch.definitionOf(row);
  if (definition === null) return { lifetimeAt: null, decision: { kind: 'idle', lookAt: null } };
  const { lifetime } = definition.caps;
  if (definition.steps.length === 0) {
    const end = lifetime && addDuration(row.enrolled_at, lifetime, row.contact_timezone ?? 'UTC');
    return { lifetimeAt: end, decision: decideWithoutSteps(end, row.now) };
  }
  if (row.agent_id === null) return { lifetimeAt: null, decision: WITHOUT_STEP };
  const state = stateOf(row);
  const facts = batch.factsOf(row, erased);
  const lifetimeAt = lifetime && addDuration(state.enrolledAt, lifetime, zoneOfContact(facts));
  return { decision: null, state, definition, facts, lifetimeAt };
}

/** The decision about an enrollment that cannot be decided now. It is decided again in a minute. */
export function undecided(row: EnrollmentFactsRow): WithoutCalls {
  const lookAt = new Date(row.now.getTime() + 60_000);
  const nextAttemptAt = row.next_attempt_at;
  // The end of the lifetime is not known, so the enrollment is also settled again.
  return {
    lifetimeAt: lookAt,
    decision: { kind: 'hold', waitingFor: 'after', nextAttemptAt, lookAt, callback: false },
  };
}
