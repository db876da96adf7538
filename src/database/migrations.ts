import { InitialSchema1763700000000 } from '../../migrations/1763700000000-initial-schema.js';
import { IdempotencyKeys1763710000000 } from '../../migrations/1763710000000-idempotency-keys.js';
import { SweeperRuns1763740000000 } from '../../migrations/1763740000000-sweeper-runs.js';
import { FunctionsAcrossTeams1763750000000 } from '../../migrations/1763750000000-functions-across-teams.js';
import { RowLevelSecurity1763760000000 } from '../../migrations/1763760000000-row-level-security.js';
import { CarrierSettingsAndAnswers1763771000000 } from '../../migrations/1763771000000-carrier-settings-and-answers.js';
import { CallsFoundByNumbers1763772000000 } from '../../migrations/1763772000000-calls-found-by-numbers.js';
import { WaitingForALine1763812000000 } from '../../migrations/1763812000000-waiting-for-a-line.js';
import { IndexesToldApart1763820000000 } from '../../migrations/1763820000000-indexes-told-apart.js';
import { PlanUsageInShards1763830000000 } from '../../migrations/1763830000000-plan-usage-in-shards.js';
import { LocksWithoutWaiting1763840000000 } from '../../migrations/1763840000000-locks-without-waiting.js';
import { PoliciesOfSeveralTeams1763841000000 } from '../../migrations/1763841000000-policies-of-several-teams.js';
import { CallerIdsToldApart1763850000000 } from '../../migrations/1763850000000-caller-ids-told-apart.js';
import { LocksOfSeveralRequestsOfATeam1764010000000 } from '../../migrations/1764010000000-locks-of-several-requests-of-a-team.js';
import { FarSlots1764020000000 } from '../../migrations/1764020000000-far-slots.js';
import { RepairsInSets1764050000000 } from '../../migrations/1764050000000-repairs-in-sets.js';
import { DefinitionFormat1764051000000 } from '../../migrations/1764051000000-definition-format.js';
import { OneLockRule1764061000000 } from '../../migrations/1764061000000-one-lock-rule.js';
import { Erasure1764070000000 } from '../../migrations/1764070000000-erasure.js';
import { CampaignEngine1764080000000 } from '../../migrations/1764080000000-campaign-engine.js';
import { DueEnrollments1764081000000 } from '../../migrations/1764081000000-due-enrollments.js';
import { WaitingEnrollments1764085000000 } from '../../migrations/1764085000000-waiting-enrollments.js';
import { Retention1764090000000 } from '../../migrations/1764090000000-retention.js';
import { FirstLookDefault1764100000000 } from '../../migrations/1764100000000-first-look-default.js';
import { FirstLooks1764100100000 } from '../../migrations/1764100100000-first-looks.js';
import { DeletedAgents1764110000000 } from '../../migrations/1764110000000-deleted-agents.js';
import { CampaignCounts1764110100000 } from '../../migrations/1764110100000-campaign-counts.js';
import { EnrollmentsByStatus1764110200000 } from '../../migrations/1764110200000-enrollments-by-status.js';
import { CallPhases1764120000000 } from '../../migrations/1764120000000-call-phases.js';
import { PhaseIndexes1764120050000 } from '../../migrations/1764120050000-phase-indexes.js';
import { CallDetails1764120100000 } from '../../migrations/1764120100000-call-details.js';
import { DatabaseIdentity1764130000000 } from '../../migrations/1764130000000-database-identity.js';
import { CallResults1764140000000 } from '../../migrations/1764140000000-call-results.js';
import { Reentry1764140100000 } from '../../migrations/1764140100000-reentry.js';
import { VersionMigration1764140200000 } from '../../migrations/1764140200000-version-migration.js';
import { DialsOfRemovedCalls1764160000000 } from '../../migrations/1764160000000-dials-of-removed-calls.js';
import { NewestEnrollments1764180000000 } from '../../migrations/1764180000000-newest-enrollments.js';
import { IdsInOrder1764190000000 } from '../../migrations/1764190000000-ids-in-order.js';
import { TeamLists1764200000000 } from '../../migrations/1764200000000-team-lists.js';
import { Events1764210000000 } from '../../migrations/1764210000000-events.js';
import { Webhooks1764220000000 } from '../../migrations/1764220000000-webhooks.js';
import { KeyScopes1764230000000 } from '../../migrations/1764230000000-key-scopes.js';
import { Imports1764260000000 } from '../../migrations/1764260000000-imports.js';
import { EventBatches1764270000000 } from '../../migrations/1764270000000-event-batches.js';
import { NumbersApart1764270100000 } from '../../migrations/1764270100000-numbers-apart.js';
import { ChangedContacts1764280000000 } from '../../migrations/1764280000000-changed-contacts.js';
import { EventsOfEnrollmentsAtOnce1764290000000 } from '../../migrations/1764290000000-events-of-enrollments-at-once.js';
import { SettlingEnrollments1764301000000 } from '../../migrations/1764301000000-settling-enrollments.js';
import { SettlingIndexes1764301100000 } from '../../migrations/1764301100000-settling-indexes.js';
import { WaitingWithoutSteps1764302000000 } from '../../migrations/1764302000000-waiting-without-steps.js';
import { ZoneData1764303000000 } from '../../migrations/1764303000000-zone-data.js';
import { ZoneMoves1764303100000 } from '../../migrations/1764303100000-zone-moves.js';
import { UnknownRanges1764304000000 } from '../../migrations/1764304000000-unknown-ranges.js';
import { ColumnsOfImports1764305000000 } from '../../migrations/1764305000000-columns-of-imports.js';
import { BulkDeliveries1764307000000 } from '../../migrations/1764307000000-bulk-deliveries.js';

/** Every migration, oldest first. */
export const MIGRATIONS = [
  InitialSchema1763700000000,
  IdempotencyKeys1763710000000,
  SweeperRuns1763740000000,
  FunctionsAcrossTeams1763750000000,
  RowLevelSecurity1763760000000,
  CarrierSettingsAndAnswers1763771000000,
  CallsFoundByNumbers1763772000000,
  WaitingForALine1763812000000,
  IndexesToldApart1763820000000,
  PlanUsageInShards1763830000000,
  LocksWithoutWaiting1763840000000,
  PoliciesOfSeveralTeams1763841000000,
  CallerIdsToldApart1763850000000,
  LocksOfSeveralRequestsOfATeam1764010000000,
  FarSlots1764020000000,
  RepairsInSets1764050000000,
  DefinitionFormat1764051000000,
  OneLockRule1764061000000,
  Erasure1764070000000,
  CampaignEngine1764080000000,
  DueEnrollments1764081000000,
  WaitingEnrollments1764085000000,
  Retention1764090000000,
  FirstLookDefault1764100000000,
  FirstLooks1764100100000,
  DeletedAgents1764110000000,
  CampaignCounts1764110100000,
  EnrollmentsByStatus1764110200000,
  CallPhases1764120000000,
  PhaseIndexes1764120050000,
  CallDetails1764120100000,
  DatabaseIdentity1764130000000,
  CallResults1764140000000,
  Reentry1764140100000,
  VersionMigration1764140200000,
  DialsOfRemovedCalls1764160000000,
  NewestEnrollments1764180000000,
  IdsInOrder1764190000000,
  TeamLists1764200000000,
  Events1764210000000,
  Webhooks1764220000000,
  KeyScopes1764230000000,
  Imports1764260000000,
  EventBatches1764270000000,
  NumbersApart1764270100000,
  ChangedContacts1764280000000,
  EventsOfEnrollmentsAtOnce1764290000000,
  SettlingEnrollments1764301000000,
  SettlingIndexes1764301100000,
  WaitingWithoutSteps1764302000000,
  ZoneData1764303000000,
  ZoneMoves1764303100000,
  UnknownRanges1764304000000,
  ColumnsOfImports1764305000000,
  BulkDeliveries1764307000000,
];

/** The names that Postgres stores for the migrations that ran. */
export const MIGRATION_NAMES: readonly string[] = MIGRATIONS.map((migration) => migration.name);
