import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { type Request } from 'express';
import { isMultipart, openUpload, type UploadedForm } from '../../http/multipart.js';

const MEMORY = 'outdial:upload-memory';

const opened = new WeakMap<Request, UploadedForm>();

/**
 * A route whose form has a file. The guard reads the fields before the file, among them the token, before a byte of
 * the file is read.
 *
 * @param bytes the most memory that the route uses for the file.
 */
export const TakesFile = (bytes: number): MethodDecorator => SetMetadata(MEMORY, bytes);

/**
 * The form with a file of a route that takes one; null for another route, or a form without a file.
 *
 * @throws AppError as `openUpload`.
 */
export async function openFormWithFile(request: Request, handler: object): Promise<UploadedForm | null> {
  const memory = Reflect.getMetadata(MEMORY, handler) as number | undefined;
  if (memory === undefined || !isMultipart(request)) return null;
  const form = await openUpload(request, memory);
  opened.set(request, form);
  return form;
}

/** The form with a file that was sent; null: it was sent without one. */
export const Uploaded = createParamDecorator(
  (_: unknown, context: ExecutionContext): UploadedForm | null =>
    opened.get(context.switchToHttp().getRequest<Request>()) ?? null,
);
