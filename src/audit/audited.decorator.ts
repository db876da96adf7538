import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { type Request } from 'express';
import { type Observable } from 'rxjs';
import { traceOf } from '../telemetry/request-trace.js';
import { type AuditedChange } from './audited-change.js';
import { AuditService } from './audit.service.js';

const AUDITED = 'outdial:audited';

/** What a route that only reads has in the log. */
interface AuditedRead {
  action: string;
  /** The parameter of the path that names the row. */
  id: string | null;
}

/** Writes a row before the route answers, so that no answer is missing in the log. */
@Injectable()
class AuditedReads implements NestInterceptor {
  constructor(private readonly audit: AuditService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const { teamId = traceOf(request).teamId ?? null } = request.params as { teamId?: string };
    const read = readOf(context.getHandler(), teamId, request.params);
    if (read !== undefined) await this.audit.note(read);
    return next.handle();
  }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Puts the export or the read of a secret into the audit log.
 *
 * @param action such as `call.exported`; before the dot is the kind of row. @param id the path's parameter that names it.
 */
export function Audited(action: string, id: string | null = null): MethodDecorator {
  return applyDecorators(SetMetadata(AUDITED, { action, id }), UseInterceptors(AuditedReads));
}

/**
 * What a route's read writes to the log, for routes that are called otherwise than over HTTP, too; undefined: nothing.
 *
 * @param params of the path, by their names.
 */
export function readOf(
  handler: object,
  teamId: string | null,
  params: Readonly<Record<string, unknown>>,
): AuditedChange | undefined {
  const declared = auditedRead(handler);
  if (declared === undefined) return undefined;
  const { action, id } = declared;
  const [type = ''] = action.split('.');
  const given = id === null ? '' : String(params[id]);
  // What is no id names no row, and Postgres refuses some of it.
  const target = { type, id: UUID.test(given) ? given : null };
  return { teamId: UUID.test(teamId ?? '') ? teamId : null, action, target };
}

/** What a route declares, for the test of every route. */
export function auditedRead(handler: object): AuditedRead | undefined {
  return Reflect.getMetadata(AUDITED, handler) as AuditedRead | undefined;
}
