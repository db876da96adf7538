import { Contact } from './contact.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const CONTACT_ENTITIES = [Contact];
