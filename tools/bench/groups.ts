import { type Group } from './data.js';

const CONTACTS = 100_000;
/** In force and counted, and never reached. */
const PLAN = 100_000_000;

/** The teams of the benchmark, all in one database. */
export const GROUPS = {
  /** What everything else is measured against. */
  hundred: { firstTeam: 0, teams: 100, firstContact: 0, contacts: CONTACTS, calls: CONTACTS },
  one: { firstTeam: 100, teams: 1, firstContact: CONTACTS, contacts: CONTACTS, calls: CONTACTS },
  oneLimited: {
    firstTeam: 101,
    teams: 1,
    firstContact: 2 * CONTACTS,
    contacts: CONTACTS,
    calls: CONTACTS,
    monthlyCallLimit: PLAN,
  },
  hundredLimited: {
    firstTeam: 102,
    teams: 100,
    firstContact: 3 * CONTACTS,
    contacts: CONTACTS,
    calls: CONTACTS,
    monthlyCallLimit: PLAN,
  },
} satisfies Record<string, Group>;
