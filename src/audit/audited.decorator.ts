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
    const { action, id } = auditedRead(context.getHandler()) as AuditedRead;
    const request = context.switchToHttp().getRequest<Request>();
    const { teamId = traceOf(request).teamId ?? null } = request.params as { teamId?: string };
    const [type = ''] = action.split('.');
    const target = { type, id: id === null ? null : String(request.params[id]) };
    await this.audit.note({ teamId: UUID.test(teamId ?? '') ? teamId : null, action, target });
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

/** What a route declares, for the interceptor and for the test of every route. */
export function auditedRead(handler: object): AuditedRead | undefined {
  return Reflect.getMetadata(AUDITED, handler) as AuditedRead | undefined;
}
