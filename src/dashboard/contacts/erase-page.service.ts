import { Injectable } from '@nestjs/common';
import { ContactsService } from '../../contacts/contacts.service.js';
import { ErasureService } from '../../erasure/erasure.service.js';
import { notFound } from '../../http/app-error.js';
import { erasePage } from './erase.view.js';
import { pageAt, type PageRequest } from '../frame/form.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { type PageElement } from '../../http/html-page.js';

/** Erases a person after a confirmation. */
@Injectable()
export class ErasePageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly contacts: ContactsService,
    private readonly erasure: ErasureService,
  ) {}

  /** The confirmation page of {@link erase}. @throws AppError `NOT_FOUND` for the team or the contact. */
  async confirmation(request: PageRequest, teamId: string, contactId: string): Promise<PageElement> {
    const self = pageAt(request.parameter('back') ?? `/t/${teamId}/numbers`);
    const frame = await this.frames.of({ ...request, self }, teamId);
    if (frame.team === null) throw notFound('Team');
    return erasePage(frame, teamId, await this.contacts.get(teamId, contactId));
  }

  /** @throws AppError as `ErasureService.erase`. */
  erase(teamId: string, contactId: string): Promise<void> {
    return this.erasure.erase(teamId, contactId);
  }
}
