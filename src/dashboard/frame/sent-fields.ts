import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { bytesOf } from '../../http/body.js';

/** The fields of a form, each with all its values: checkboxes send a name several times. */
export class SentFields {
  constructor(private readonly fields: URLSearchParams) {}

  /** The first value as it was typed; empty where the field was not sent. */
  text(name: string): string {
    return this.fields.get(name) ?? '';
  }

  /** All values that are not empty. */
  all(name: string): string[] {
    return this.fields.getAll(name).filter((value) => value !== '');
  }

  has(name: string): boolean {
    return this.fields.has(name);
  }
}

/** The form that was sent, for forms with checkboxes. The guard has refused what Postgres cannot store. */
export const Sent = createParamDecorator(async (_: unknown, context: ExecutionContext) => {
  const body = await bytesOf(context.switchToHttp().getRequest<Request>());
  return new SentFields(new URLSearchParams(body.toString()));
});
