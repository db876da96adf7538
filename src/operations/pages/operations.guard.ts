import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ownBody } from '../../http/request-body.js';
import { changesSomething } from '../access/same-origin.js';
import { OperationsAccess, type AccessRefusal } from '../access/operations-access.service.js';
import { FORM_TOKEN, formOf, type OperationsRequest } from './form.js';

/** Passes the answer to a refused request to the exception filter. */
export class AccessRefused extends Error {
  override name = 'AccessRefused';

  constructor(readonly refusal: AccessRefusal) {
    super(refusal.text);
  }
}

const FORGED: AccessRefusal = {
  status: 403,
  headers: {},
  text: 'This form is too old, or was not one of ours, so nothing was changed. Open the page again and repeat it.',
};

/** Lets in only requests with the password, and changes only from this site's forms. */
@Injectable()
export class OperationsGuard implements CanActivate {
  constructor(private readonly access: OperationsAccess) {}

  /** @throws AccessRefused; AppError when a form cannot be read. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const result = this.access.check(request);
    if (!result.ok) throw new AccessRefused(result.refusal);
    const { visit, cookie } = result;
    ownBody(request, 'operations');
    if (changesSomething(request)) {
      const token = (await formOf(request)).get(FORM_TOKEN) ?? '';
      if (!this.access.isFormToken(token, visit)) throw new AccessRefused(FORGED);
    }
    if (cookie !== null) http.getResponse<Response>().appendHeader('Set-Cookie', cookie);
    const own = request as OperationsRequest;
    own.visit = visit;
    own.formToken = this.access.formToken(visit);
    own.notice = this.access.noticeOf(request, visit);
    return true;
  }
}
