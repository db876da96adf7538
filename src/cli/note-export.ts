import { readOf } from '../audit/audited.decorator.js';
import { AuditService } from '../audit/audit.service.js';
import { type Invocation } from './command.js';
import { operationNamed } from './operations.js';

/**
 * Writes the row of the audit log that an export has over HTTP, before its rows are read in this process.
 *
 * @param operation that exports over HTTP. @param params of its path.
 */
export async function noteExport(
  { service, teamId }: Invocation,
  operation: string,
  params: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { about, handler } = operationNamed(operation);
  const prototype = about.controller.prototype as Record<string, object | undefined>;
  const read = readOf(prototype[handler] ?? {}, teamId, params);
  if (read === undefined) throw new Error(`the operation ${operation} declares no row of the audit log`);
  await service(AuditService).note(read);
}
