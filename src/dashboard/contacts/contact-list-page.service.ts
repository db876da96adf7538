import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TeamContactsService } from '../../contacts/team-contacts.service.js';
import { type PageElement } from '../../http/html-page.js';
import { malformedCursor, type Page, pageOf } from '../../http/page.js';
import { isUuid } from '../../http/validators.js';
import { type PageRequest, type RefusedPage } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { answerOf, PageFrame, readOrRefuse } from '../frame/page-frame.service.js';
import { CONTACTS_BY_NAME, type ListedContact } from './contact-list-page.sql.js';
import { contactListPage, type SentContactFilters, TEXT_FILTERS } from './contact-list.view.js';

const CONTACTS_A_PAGE = 50;

/** The contacts of a team. */
@Injectable()
export class ContactListPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly contacts: TeamContactsService,
  ) {}

  /** The page; without the list if a filter or the cursor is refused. */
  async page(request: PageRequest, teamId: string): Promise<PageElement | RefusedPage> {
    const sent = sentFilters(request);
    const read = await this.frames.tolerant(request);
    const [frame, contacts] = await readOrRefuse(read, null, () =>
      this.list(teamId, sent, request.parameter('cursor')),
    );
    return answerOf(frame, contactListPage(frame, { sent, contacts }));
  }

  /** By the beginning of the name alone, the index of names has the contacts; the other filters find few. */
  private async list(
    teamId: string,
    { namePrefix, ...filters }: SentContactFilters,
    cursor: string | null,
  ): Promise<Page<ListedContact>> {
    const page = listPage(CONTACTS_A_PAGE, cursor, filters);
    if (namePrefix === undefined) return this.contacts.list(teamId, page);
    if (Object.keys(filters).length === 0) return this.named(teamId, namePrefix, page.after);
    const { items, nextCursor } = await this.contacts.list(teamId, page);
    return { items: items.filter(({ name }) => hasPrefix(name, namePrefix)), nextCursor };
  }

  /** @param after the key of the cursor. @throws AppError `INVALID_REQUEST` for the cursor of another list. */
  private async named(
    teamId: string,
    namePrefix: string,
    after: string[] | null,
  ): Promise<Page<ListedContact>> {
    const [id = null] = after ?? [];
    if (id !== null && !isUuid(id)) throw malformedCursor();
    const sought = [teamId, namePrefix, id, CONTACTS_A_PAGE + 1];
    const rows = await this.dataSource.query<ListedContact[]>(CONTACTS_BY_NAME, sought);
    return pageOf(
      rows,
      { limit: CONTACTS_A_PAGE },
      ({ contactId }) => [contactId],
      (row) => row,
    );
  }
}

const hasPrefix = (name: string | null, prefix: string): boolean =>
  name?.toLowerCase().startsWith(prefix.toLowerCase()) === true;

function sentFilters(request: PageRequest): SentContactFilters {
  const sent: SentContactFilters = {};
  if (request.phoneNumber !== null) sent.phoneNumber = request.phoneNumber;
  for (const name of Object.keys(TEXT_FILTERS) as (keyof typeof TEXT_FILTERS)[]) {
    const value = request.parameter(name);
    if (value !== null) sent[name] = value;
  }
  return sent;
}
