import { Injectable } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { PeopleService } from '../../people/people.service.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { errorsOfRefusal } from '../frame/form-errors.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { operatorsPage } from './operators.view.js';

/** The operators of the platform. */
@Injectable()
export class OperatorsPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly people: PeopleService,
  ) {}

  async page(request: PageRequest): Promise<PageElement> {
    const [frame, operators] = await Promise.all([this.frames.of(request), this.people.operators()]);
    return operatorsPage(frame, { operators, email: '', errors: {}, invited: null });
  }

  /**
   * Invites an operator. The page that answers is the only one that shows the link.
   *
   * @param origin by which the browser reached this process.
   */
  async invite(request: PageRequest, email: string, origin: string): Promise<PageElement | RefusedPage> {
    const frame = await this.frames.of(request);
    try {
      const { link, sent } = await this.people.inviteOperator(email, origin);
      const operators = await this.people.operators();
      return operatorsPage(frame, { operators, email: '', errors: {}, invited: { email, link, sent } });
    } catch (error) {
      const errors = errorsOfRefusal(error, { email: 'E-mail' });
      const operators = await this.people.operators();
      return new RefusedPage(operatorsPage(frame, { operators, email, errors, invited: null }));
    }
  }

  /** @throws AppError `NOT_FOUND`; `CONFLICT` for the last operator. */
  remove(userId: string): Promise<void> {
    return this.people.removeOperator(userId);
  }
}
