import { Injectable } from '@nestjs/common';
import { ContactsService, type ContactView } from '../../contacts/contacts.service.js';
import { render } from '../../dialing/claim/script.js';
import { ONLY_ATTEMPT, withAttempt } from '../../domain/attempt-variables.js';
import { type Templates, warningsAboutScript } from '../../domain/template-warnings.js';
import { isUuid } from '../../http/validators.js';
import { readSoughtNumber } from '../../phone-numbers/team-number.js';
import { TeamsService } from '../../teams/teams.service.js';
import { refusalText } from '../frame/form.js';
import { type Preview } from './preview.view.js';

/** Renders an agent's texts for a contact, as a dial does. */
@Injectable()
export class AgentPreviews {
  constructor(
    private readonly teams: TeamsService,
    private readonly contacts: ContactsService,
  ) {}

  /** @param typed the number or the id of a contact. */
  async of(
    teamId: string,
    { promptTemplate, firstMessageTemplate }: Templates,
    typed: string,
  ): Promise<Preview> {
    const contact = await this.contactOf(teamId, typed.trim());
    if (typeof contact === 'string') return { typed, shown: null, problem: contact };
    const templates = { promptTemplate, firstMessageTemplate };
    const variables = withAttempt({}, ONLY_ATTEMPT);
    const { prompt, firstMessage } = render({ ...templates, contact, variables });
    const warnings = warningsAboutScript(templates, { contact, variables });
    const name = contact.name ?? contact.phoneNumber;
    return { typed, shown: { contact: name, prompt, firstMessage, warnings }, problem: null };
  }

  /** @returns the contact, or why there is none. */
  private async contactOf(teamId: string, typed: string): Promise<ContactView | string> {
    try {
      if (isUuid(typed)) return await this.contacts.get(teamId, typed);
      const phoneNumber = readSoughtNumber(await this.teams.find(teamId), typed, 'The number');
      const { of_number: id } = await this.contacts.holdersOf(teamId, { phoneNumber, externalId: null });
      return id === null ? 'No contact of the team has this number' : await this.contacts.get(teamId, id);
    } catch (error) {
      return refusalText(error);
    }
  }
}
