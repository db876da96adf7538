import { type Request } from 'express';
import { type Problem, invalid, problemOf } from '../http/app-error.js';
import { EXPORT_FORMATS, type ExportFormat } from '../http/export.js';

/** Which results are asked for. CSV has only failed rows. */
export interface ResultsQuery {
  failed: boolean;
  format: ExportFormat;
  bom: boolean;
}

const PARAMETERS = ['failed', 'format', 'bom'];

/** @throws AppError `INVALID_REQUEST` naming every bad parameter. */
export function readResultsQuery(query: Request['query']): ResultsQuery {
  const problems: Problem[] = Object.keys(query)
    .filter((name) => !PARAMETERS.includes(name))
    .map((name) => (/^\w{1,40}$/.test(name) ? name : 'A query parameter'))
    .map((name) => problemOf(`${name} is not a parameter of this operation`));
  const flag = (name: string) => {
    const { [name]: value = 'false' } = query;
    if (value !== 'true' && value !== 'false') problems.push(problemOf(`${name} must be true or false`));
    return value === 'true';
  };
  const failed = flag('failed');
  const bom = flag('bom');
  const { format: named = 'ndjson' } = query;
  const format = EXPORT_FORMATS.find((one) => one === named);
  if (format === undefined) problems.push(problemOf(`format must be one of ${EXPORT_FORMATS.join(', ')}`));
  if (format === 'csv' && !failed) problems.push(problemOf('format=csv needs failed=true'));
  if (format === 'ndjson' && bom) problems.push(problemOf('bom is only for CSV'));
  if (problems.length > 0 || format === undefined) throw invalid(...problems);
  return { failed, format, bom };
}
