import { IsOptional } from 'class-validator';
import { parseAssumption } from '../../domain/campaigns/forecast/assumption.js';
import { type Forecast } from '../../domain/campaigns/forecast/forecast.js';
import { type Assumption } from '../../domain/campaigns/forecast/scene.js';
import { MAX_SEED } from '../../domain/drawn-outcome.js';
import { isTimeZone, timeZoneFault } from '../../domain/zones/time-zone.js';
import { fieldRule } from '../../http/field-rule.js';
import { listOf } from '../../http/json-schema.js';
import { IsOffsetInstant, IsParsedBy, IsWholeNumber } from '../../http/operator-validators.js';
import { TIME_ZONE_SCHEMA } from '../../http/validators.js';
import { ASSUMPTION_SCHEMA } from './forecast.schema.js';

/**
 * The most enrollments, or made-up contacts, of one forecast. They fit into the memory limits of its thread.
 */
export const MAX_ENROLLMENTS = 250_000;
export const MAX_ZONES = 100;
export const MAX_FORECAST_DAYS = 366;

/** A whole number from `min` to `max`. */
function IsCount(min: number, max: number): PropertyDecorator {
  const fault = (value: unknown) =>
    Number.isSafeInteger(value) && min <= (value as number) && (value as number) <= max
      ? null
      : `must be a whole number from ${min} to ${max}`;
  return fieldRule('isCount', fault, { type: 'integer', minimum: min, maximum: max });
}

function IsZoneList(): PropertyDecorator {
  const fault = (value: unknown) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ZONES)
      return `must be an array of 1 to ${MAX_ZONES} time zones`;
    const wrong = value.findIndex((zone) => !isTimeZone(zone));
    return wrong < 0 ? null : `zones[${wrong}] ${timeZoneFault(String(value[wrong]))}`;
  };
  return fieldRule('isZoneList', fault, listOf(TIME_ZONE_SCHEMA, { minItems: 1, maxItems: MAX_ZONES }));
}

/** Body of a forecast. */
export class ForecastRequest {
  @IsOffsetInstant()
  from: string;

  @IsOffsetInstant()
  until: string;

  @IsWholeNumber(1)
  concurrency: number;

  @IsParsedBy(parseAssumption, ASSUMPTION_SCHEMA)
  assume: Partial<Assumption>;

  @IsCount(0, MAX_SEED)
  seed: number;

  @IsOptional()
  @IsCount(1, MAX_ENROLLMENTS)
  contacts?: number | null;

  @IsOptional()
  @IsZoneList()
  zones?: string[] | null;
}

/** A forecast as the operator reads it. */
export interface ForecastResource extends Forecast {
  versionId: string;
  /** ISO 8601 in UTC. */
  from: string;
  until: string;
}
