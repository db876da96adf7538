import { type Forecast } from '../../domain/campaigns/forecast/forecast.js';
import { type MadeUpContacts } from '../../domain/campaigns/forecast/made-up.js';
import { type ForecastScene } from '../../domain/campaigns/forecast/scene.js';
import { type Pack } from '../../domain/compliance/pack.js';
import { type PackedZones } from '../../domain/zones/packed-zones.js';
import { type ErasedRow, type ForecastLaw } from './rows.js';

/** The data with which a forecast's thread starts. */
export interface ThreadStart {
  scene: ForecastScene;
  /** Null: the API process sends live enrollments, page by page. */
  contacts: MadeUpContacts | null;
  /** The packs are those that the process has. */
  law: Omit<ForecastLaw, 'packs'> & { packs: readonly Pack[] };
}

/** What a thread has of its process besides. */
export interface ThreadData extends ThreadStart {
  /** The zone data by which the process decides; null: those of the release. */
  zones: PackedZones | null;
}

export type ToThread =
  /**
   * `rows` is an array of `ForecastRow` as JSON. `erased` has the facts under the erased form of each row's
   * number. The thread answers with `taken`.
   */
  { kind: 'page'; rows: string; erased: ErasedRow[] | null } | { kind: 'play' };

export type FromThread = { kind: 'taken' } | { kind: 'played'; forecast: Forecast };
