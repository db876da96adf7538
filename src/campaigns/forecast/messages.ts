import { type Forecast } from '../../domain/campaigns/forecast/forecast.js';
import { type MadeUpContacts } from '../../domain/campaigns/forecast/made-up.js';
import { type ForecastScene } from '../../domain/campaigns/forecast/scene.js';
import { type ErasedRow } from './rows.js';

/** What a forecast's thread begins with. */
export interface ThreadStart {
  scene: ForecastScene;
  /** Null: enrollments are handed over by pages. */
  contacts: MadeUpContacts | null;
}

export type ToThread =
  /**
   * `rows` is an array of `ForecastRow` as JSON; `erased` has what else is known of each. It is answered by
   * `taken`.
   */
  { kind: 'page'; rows: string; erased: ErasedRow[] | null } | { kind: 'play' };

export type FromThread = { kind: 'taken' } | { kind: 'played'; forecast: Forecast };
