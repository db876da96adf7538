import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isErasedNumber } from '../../domain/erased-number.js';
import { numberText } from '../design/phone-number.view.js';
import { stateLabel } from '../../domain/narrator/labels.js';
import { type PageElement } from '../../http/html-page.js';
import { TeamsService } from '../../teams/teams.service.js';
import { address } from '../design/address.js';
import { type PageRequest } from '../frame/form.js';
import { PageFrame } from '../frame/page-frame.service.js';
import {
  type FoundCall,
  type FoundContact,
  type FoundEnrollment,
  type FoundImport,
  type FoundName,
  type FoundNumber,
  LOOK_UPS,
  type LookUp,
  type Scope,
  SHOWN,
} from './search.sql.js';
import { type Group, type Result, searchPage } from './search.view.js';
import { readSought, type Sought } from './sought.js';

/** Finds things by what people have of them: a number, a name, an e-mail address, an id. */
@Injectable()
export class SearchService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
  ) {}

  /**
   * The page with the results, or the address of the only thing that was found.
   *
   * @param typing whether the person still types: then there is always the page.
   */
  async find(request: PageRequest, typing: boolean): Promise<PageElement | { url: string }> {
    const { teamId } = request;
    const typed = request.parameter('q') ?? '';
    const [frame, team] = await Promise.all([
      this.frames.of(request),
      teamId === null ? null : this.teams.find(teamId),
    ]);
    const sought = readSought(typed, team?.defaultCountry ?? null);
    const groups = sought.text === '' ? [] : await this.groups(teamId, sought);
    const [only, ...others] = groups.flatMap(({ results }) => results);
    if (!typing && only?.url != null && others.length === 0) return { url: only.url };
    return searchPage(frame, { sought, groups });
  }

  private async groups(teamId: string | null, sought: Sought): Promise<Group[]> {
    const { text, id, numbers, lastDigits, emails, name } = sought;
    const read = <Row>(lookUp: LookUp, value: string | string[] | null) =>
      value === null ? [] : this.read<Row>(teamId, lookUp, value);
    const [people, numbersOnly, calls, campaigns, agents, enrollments, imports] = await Promise.all([
      Promise.all([
        read<FoundContact>('contactById', id),
        read<FoundContact>('contactsByNumber', numbers),
        read<FoundContact>('contactsByEmail', emails),
        read<FoundContact>('contactsByExternalId', text),
        read<FoundContact>('contactsByLastDigits', lastDigits),
        read<FoundContact>('contactsByName', name),
      ]),
      read<FoundNumber>('numbers', numbers),
      read<FoundCall>('callById', id),
      Promise.all([read<FoundName>('campaignById', id), read<FoundName>('campaignsByName', name)]),
      Promise.all([read<FoundName>('agentById', id), read<FoundName>('agentsByName', name)]),
      read<FoundEnrollment>('enrollmentById', id),
      read<FoundImport>('importById', id),
    ]);
    return [
      groupOf('People', people.flat().map(personResult)),
      groupOf('Numbers', numbersOnly.map(numberResult)),
      groupOf('Calls', calls.map(callResult)),
      groupOf('Campaigns', campaigns.flat().map(campaignResult)),
      groupOf('Agents', agents.flat().map(agentResult)),
      groupOf('Enrollments', enrollments.map(enrollmentResult)),
      groupOf('Imports', imports.map(importResult)),
    ].filter(({ results }) => results.length > 0);
  }

  private read<Row>(teamId: string | null, lookUp: LookUp, value: string | string[]): Promise<Row[]> {
    const scope: Scope = teamId === null ? 'platform' : 'team';
    return this.dataSource.query<Row[]>(LOOK_UPS[lookUp](scope), [teamId, value]);
  }
}

/** A thing that was found in two ways is one result. */
function groupOf(title: string, found: Result[]): Group {
  const results = [...new Map(found.map((result) => [result.key, result])).values()];
  return { title, results: results.slice(0, SHOWN), more: results.length > SHOWN };
}

function numberUrl(teamId: string, phoneNumber: string): string | null {
  return isErasedNumber(phoneNumber) ? null : address(`/t/${teamId}/numbers`, { phoneNumber });
}

function personResult({ id, teamId, team, phoneNumber, name, email, externalId }: FoundContact): Result {
  const details = [name === null ? null : numberText(phoneNumber), email, externalId];
  return {
    key: id,
    team,
    title: name ?? numberText(phoneNumber),
    detail: details.filter((detail) => detail !== null).join(' · '),
    url: isErasedNumber(phoneNumber) ? null : `/t/${teamId}/contacts/${id}`,
  };
}

function numberResult({ teamId, team, phoneNumber, listed }: FoundNumber): Result {
  const detail = listed ? 'On the Do Not Call list' : 'Was called';
  return {
    key: `${teamId} ${phoneNumber}`,
    team,
    title: numberText(phoneNumber),
    detail,
    url: numberUrl(teamId, phoneNumber),
  };
}

function callResult({ id, teamId, team, phoneNumber, status }: FoundCall): Result {
  const title = `Call to ${numberText(phoneNumber)}`;
  return { key: id, team, title, detail: stateLabel(status), url: `/t/${teamId}/calls/${id}` };
}

function campaignResult({ id, teamId, team, name }: FoundName): Result {
  return { key: id, team, title: name, detail: '', url: `/t/${teamId}/campaigns/${id}` };
}

function agentResult({ id, teamId, team, name }: FoundName): Result {
  return {
    key: id,
    team,
    title: name,
    detail: '',
    url: `/t/${teamId}/agents/${id}`,
  };
}

function enrollmentResult({ id, teamId, team, campaignId, campaign }: FoundEnrollment): Result {
  const url = `/t/${teamId}/campaigns/${campaignId}/enrollments/${id}`;
  return { key: id, team, title: `Enrollment in ${campaign}`, detail: '', url };
}

/** An import has no page yet. */
function importResult({ id, team, status, rows }: FoundImport): Result {
  return {
    key: id,
    team,
    title: `Import of ${rows.toLocaleString('en-US')} rows`,
    detail: status,
    url: null,
  };
}
