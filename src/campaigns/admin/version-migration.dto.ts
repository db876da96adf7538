import { type CampaignDefinition, type Step, stepOf } from '../../domain/campaigns/definition/definition.js';
import { IsUuid } from '../../http/validators.js';

/** Body of a migration: the version whose live enrollments move. */
export class MigrateCampaignVersion {
  @IsUuid()
  fromVersionId: string;
}

/** Live enrollments that are at one step. */
export interface MigratedStep {
  /** Null before the first step. */
  step: string | null;
  live: number;
  /** Whether the version that they move to has the step. */
  exists: boolean;
  /** The keys of the step that differ in the version that they move to. */
  changes: string[];
}

/** What a migration changes. */
export interface VersionMigrationPlan {
  fromVersionId: string;
  toVersionId: string;
  /** Live enrollments of the version from which they move. */
  live: number;
  /** The steps at which the live enrollments are, in the order of the definition. */
  steps: MigratedStep[];
  /** Steps that have live enrollments but are missing in the new version. If there are any, nothing moves. */
  missingSteps: string[];
  /** Which of `variables`, `hours`, `closedDates` and `caps` differ. */
  changes: string[];
}

/** How many live enrollments are at a step. */
export interface LiveAtStep {
  step: string | null;
  live: number;
}

const SHARED = ['variables', 'hours', 'closedDates', 'caps'] as const;
const STEP_KEYS = ['agentId', 'after', 'maxAttempts', 'retry', 'on'] as const;

/** @param from null for a version that places no calls. @param to null for such a version. */
export function migrationPlan(
  ids: Pick<VersionMigrationPlan, 'fromVersionId' | 'toVersionId'>,
  from: CampaignDefinition | null,
  to: CampaignDefinition | null,
  rows: readonly LiveAtStep[],
): VersionMigrationPlan {
  const position = ({ step }: LiveAtStep) => from?.steps.findIndex(({ key }) => key === step) ?? -1;
  const steps = rows
    .toSorted((a, b) => position(a) - position(b))
    .map(({ step, live }) => {
      const [before, after] = [stepAt(from, step), stepAt(to, step)];
      return {
        step,
        live,
        exists: step === null || after !== undefined,
        changes: stepChanges(before, after),
      };
    });
  return {
    ...ids,
    live: rows.reduce((sum, { live }) => sum + live, 0),
    steps,
    missingSteps: steps.flatMap(({ step, exists }) => (exists || step === null ? [] : step)),
    changes: SHARED.filter((key) => differ(from?.[key], to?.[key])),
  };
}

/** The step with a key. Before its first step, an enrollment has no key and is dialed by the first step. */
function stepAt(definition: CampaignDefinition | null, key: string | null): Step | undefined {
  if (definition === null) return undefined;
  return key === null ? definition.steps[0] : stepOf(definition, key);
}

function stepChanges(before: Step | undefined, after: Step | undefined): string[] {
  return STEP_KEYS.filter((key) => differ(before?.[key], after?.[key]));
}

const differ = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
