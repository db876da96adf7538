import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ownBody } from '../../http/request-body.js';
import { changesSomething } from '../access/same-origin.js';
import { StaffAccess, type StaffRefusal } from '../access/staff-access.service.js';
import { FORM_TOKEN, formOf, type StaffRequest } from './form.js';

/** Carries the answer to the filter. */
export class StaffRefused extends Error {
  override name = 'StaffRefused';

  constructor(readonly refusal: StaffRefusal) {
    super(refusal.text);
  }
}

const FORGED: StaffRefusal = {
  status: 403,
  headers: {},
  text: 'This form is too old, or was not one of ours, so nothing was changed. Open the page again and repeat it.',
};

/** Lets in only requests with the password, and changes only from this site's forms. */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(private readonly access: StaffAccess) {}

  /** @throws StaffRefused; AppError when a form cannot be read. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const verdict = this.access.judge(request);
    if (!verdict.ok) throw new StaffRefused(verdict.refusal);
    const { visit, cookie } = verdict;
    ownBody(request, 'staff');
    if (changesSomething(request)) {
      const token = (await formOf(request)).get(FORM_TOKEN) ?? '';
      if (!this.access.isFormToken(token, visit)) throw new StaffRefused(FORGED);
    }
    if (cookie !== null) http.getResponse<Response>().appendHeader('Set-Cookie', cookie);
    const staff = request as StaffRequest;
    staff.visit = visit;
    staff.formToken = this.access.formToken(visit);
    staff.notice = this.access.noticeOf(request, visit);
    return true;
  }
}
