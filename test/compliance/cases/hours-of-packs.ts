import { type Purpose, type Voice } from '../../../src/domain/compliance/pack.js';

/**
 * When each shipped pack lets calls be placed, as its law says it, at the edges: the first and the last minute, holidays,
 * days on which clocks change, the day before a rule and its first day, and persons who may be in one of several zones.
 *
 * The times are written from the text of the law, local with the offset that the place has then. The runner checks the
 * offsets against the zone data, so that the table does not depend on what it tests.
 */
export interface HoursOfPack {
  pack: string;
  /** Where the law was read. */
  law: string;
  country: string;
  regions?: readonly string[];
  /** The person is in one of them. */
  zones: readonly string[];
  /** By default marketing by an AI voice. */
  purpose?: Purpose;
  voice?: Voice;
  cases: readonly HoursCase[];
}

export interface HoursCase {
  /** Local time and its offset, `2026-12-01T08:00-05:00`. */
  at: string;
  open: boolean;
  why: string;
}

const MINUTE = 60_000;
/** A minute before a time `HH:MM` after midnight. */
const before = (time: string) =>
  new Date(Date.parse(`2000-01-01T${time}Z`) - MINUTE).toISOString().slice(11, 16);

/** The first and the last lawful minute of a window, and the minutes beside them. */
function edges(date: string, offset: string, start: string, end: string, why: string): HoursCase[] {
  return [
    { at: `${date}T${before(start)}${offset}`, open: false, why: `${why}: the minute before` },
    { at: `${date}T${start}${offset}`, open: true, why: `${why}: the first minute` },
    { at: `${date}T${before(end)}${offset}`, open: true, why: `${why}: the last minute` },
    { at: `${date}T${end}${offset}`, open: false, why: `${why}: the minute after` },
  ];
}

const open = (at: string, why: string): HoursCase => ({ at, open: true, why });
const closed = (at: string, why: string): HoursCase => ({ at, open: false, why });

const NY = ['America/New_York'];
const CHICAGO = ['America/Chicago'];
const DENVER = ['America/Denver'];
const LA = ['America/Los_Angeles'];
/** Of the area code 850 in Florida. */
const EAST_AND_CENTRAL = ['America/Chicago', 'America/New_York'];
const TCPA = 'https://legalclarity.org/what-time-can-telemarketers-start-calling';
const state = (code: string, law: string, zones: readonly string[]) => ({
  pack: `us-${code.toLowerCase()}`,
  law,
  country: 'US',
  regions: [`US-${code}`],
  zones,
});

const UNITED_STATES: readonly HoursOfPack[] = [
  {
    pack: 'us',
    law: TCPA,
    country: 'US',
    zones: NY,
    cases: [
      ...edges('2026-12-01', '-05:00', '08:00', '21:00', 'a Tuesday'),
      ...edges('2026-12-06', '-05:00', '08:00', '21:00', 'a Sunday'),
      ...edges('2026-10-31', '-04:00', '08:00', '21:00', 'the last day of daylight time'),
      ...edges('2026-11-01', '-05:00', '08:00', '21:00', 'clocks went back at night'),
      ...edges('2027-03-13', '-05:00', '08:00', '21:00', 'the last day of standard time'),
      ...edges('2027-03-14', '-04:00', '08:00', '21:00', 'clocks went forward at night'),
      open('1992-12-19T03:00-05:00', 'the day before 47 CFR 64.1200(c)(1)'),
      closed('1992-12-20T03:00-05:00', 'its first day'),
    ],
  },
  {
    pack: 'us',
    law: TCPA,
    country: 'US',
    zones: EAST_AND_CENTRAL,
    cases: [
      ...edges('2026-12-01', '-05:00', '09:00', '21:00', '8 a.m. in the west to 9 p.m. in the east'),
      ...edges('2026-11-01', '-05:00', '09:00', '21:00', 'both went back at night'),
    ],
  },
  {
    pack: 'us',
    law: 'https://developer.cloudcontactai.com/docs/12-cfr-part-1006-regulation-f-communications-in-connection-with-debt-collection',
    country: 'US',
    zones: NY,
    purpose: 'debt',
    cases: [
      ...edges('2026-12-01', '-05:00', '08:00', '21:00', 'Regulation F'),
      open('2021-11-29T03:00-05:00', 'the day before Regulation F'),
      closed('2021-11-30T03:00-05:00', 'its first day'),
    ],
  },
  {
    pack: 'us',
    law: TCPA,
    country: 'US',
    zones: NY,
    purpose: 'survey',
    cases: [open('2026-12-01T03:00-05:00', 'a survey is no solicitation')],
  },
  {
    ...state('CA', TCPA, LA),
    cases: edges('2026-12-01', '-08:00', '08:00', '21:00', 'the federal hours'),
  },
  {
    ...state(
      'CT',
      'https://mondaq.co.uk/unitedstates/advertising-marketing--branding/1340464/revised-connecticut-telemarketing-law-signed-into-law',
      NY,
    ),
    cases: [
      ...edges('2026-12-01', '-05:00', '09:00', '20:00', 'a Tuesday'),
      ...edges('2027-03-14', '-04:00', '09:00', '20:00', 'clocks went forward at night'),
      ...edges('2023-09-30', '-04:00', '08:00', '21:00', 'the day before P.A. 23-98'),
      ...edges('2023-10-01', '-04:00', '09:00', '20:00', 'its first day'),
    ],
  },
  {
    ...state('FL', 'https://flsenate.gov/Session/Bill/2021/1120/BillText/er/HTML', NY),
    cases: [
      ...edges('2026-12-01', '-05:00', '08:00', '20:00', 'a Tuesday'),
      ...edges('2026-11-01', '-05:00', '08:00', '20:00', 'clocks went back at night'),
      ...edges('2021-06-30', '-04:00', '08:00', '21:00', 'the day before the act'),
      ...edges('2021-07-01', '-04:00', '08:00', '20:00', 'its first day'),
    ],
  },
  {
    ...state('FL', 'https://flsenate.gov/Session/Bill/2021/1120/BillText/er/HTML', EAST_AND_CENTRAL),
    cases: edges('2026-12-01', '-05:00', '09:00', '20:00', 'the area code 850 has two zones'),
  },
  {
    ...state('IN', TCPA, EAST_AND_CENTRAL),
    cases: edges('2026-12-01', '-05:00', '09:00', '21:00', 'the federal hours in both zones of 812'),
  },
  {
    ...state('KY', 'http://www.contactcentercompliance.com/legal/statutes/KY/KRS/367.461.adpx', NY),
    cases: edges('2026-12-01', '-05:00', '08:00', '21:00', 'a recorded message'),
  },
  {
    ...state(
      'KY',
      'http://www.contactcentercompliance.com/legal/statutes/KY/KRS/367.461.adpx',
      EAST_AND_CENTRAL,
    ),
    cases: edges('2026-12-01', '-05:00', '09:00', '21:00', 'the area code 270 has two zones'),
  },
  {
    ...state('LA', 'https://dnc.com/holiday-alerts?year=2023', CHICAGO),
    cases: [
      ...edges('2026-12-01', '-06:00', '08:00', '20:00', 'a Tuesday'),
      ...edges('2026-12-05', '-06:00', '08:00', '20:00', 'a Saturday'),
      closed('2026-12-06T12:00-06:00', 'a Sunday'),
      ...edges('2026-10-31', '-05:00', '08:00', '20:00', 'the last day of daylight time'),
      ...edges('2026-11-02', '-06:00', '08:00', '20:00', 'the Monday after the change of clocks'),
      open('2026-09-07T12:00-05:00', 'the list of holidays is not sure, so it only warns'),
    ],
  },
  {
    ...state(
      'MA',
      'https://regulations.justia.com/states/massachusetts/201-cmr/title-201-cmr-12-00/section-12-02',
      NY,
    ),
    cases: [
      ...edges('2026-12-01', '-05:00', '08:00', '20:00', 'a Tuesday'),
      ...edges('2026-11-01', '-05:00', '08:00', '20:00', 'clocks went back at night'),
      ...edges('2003-03-31', '-05:00', '08:00', '21:00', 'the day before the regulation'),
      ...edges('2003-04-01', '-05:00', '08:00', '20:00', 'its first day'),
    ],
  },
  {
    ...state('MD', 'https://mgaleg.maryland.gov/mgawebsite/Legislation/Details/SB0090?ys=2023RS', NY),
    cases: [
      ...edges('2026-12-06', '-05:00', '08:00', '20:00', 'a Sunday'),
      ...edges('2023-12-31', '-05:00', '08:00', '21:00', 'the day before the act'),
      ...edges('2024-01-01', '-05:00', '08:00', '20:00', 'its first day'),
    ],
  },
  {
    ...state('MN', TCPA, CHICAGO),
    cases: edges('2026-12-01', '-06:00', '08:00', '21:00', 'the federal hours'),
  },
  {
    ...state(
      'MS',
      'https://getpocketlaw.com/law/state_mississippi/section-77-3-723-rules-for-authorized-calls_57b73fa7ff73',
      CHICAGO,
    ),
    cases: [
      ...edges('2026-12-01', '-06:00', '08:00', '20:00', 'in winter both readings agree'),
      ...edges('2026-07-01', '-05:00', '09:00', '20:00', 'in summer within both readings'),
      ...edges('2026-10-31', '-05:00', '09:00', '20:00', 'the last day of daylight time'),
      closed('2026-11-01T12:00-06:00', 'a Sunday'),
      ...edges('2026-11-02', '-06:00', '08:00', '20:00', 'the Monday after'),
      ...edges('2027-03-13', '-06:00', '08:00', '20:00', 'the last day of standard time'),
      ...edges('2027-03-15', '-05:00', '09:00', '20:00', 'the Monday after'),
      open('2026-07-04T12:00-05:00', 'the ban on holidays is repealed'),
      ...edges('2003-06-30', '-05:00', '08:00', '21:00', 'the day before the act'),
      ...edges('2003-07-01', '-05:00', '09:00', '20:00', 'its first day'),
    ],
  },
  {
    ...state('NM', 'https://law.justia.com/codes/new-mexico/2006/nmrc/jd_57-12-22-13117.html', DENVER),
    cases: [
      ...edges('2026-12-01', '-07:00', '09:00', '21:00', 'a Tuesday'),
      ...edges('2027-03-14', '-06:00', '09:00', '21:00', 'clocks went forward at night'),
    ],
  },
  {
    ...state('OK', 'https://self-law.org/code/ok/title-15-contracts/15-755-1', CHICAGO),
    cases: [
      ...edges('2026-12-01', '-06:00', '09:00', '20:00', 'within the hours of both acts'),
      ...edges('2022-10-31', '-05:00', '09:00', '21:00', 'the day before HB 3168'),
      ...edges('2022-11-01', '-05:00', '09:00', '20:00', 'its first day'),
    ],
  },
  {
    ...state(
      'OK',
      'https://www.beneschlaw.com/insight/new-oklahoma-mini-tcpa-law-set-to-go-into-effect-in-november/',
      CHICAGO,
    ),
    voice: 'live',
    cases: edges('2026-12-01', '-06:00', '08:00', '20:00', 'a person speaks'),
  },
  {
    ...state('OR', 'https://production.jdsupra.com/legalnews/oregon-passes-new-telephone-8210765', LA),
    cases: [
      ...edges('2025-12-31', '-08:00', '08:00', '21:00', 'the day before HB 3865'),
      ...edges('2026-01-01', '-08:00', '08:00', '20:00', 'its first day'),
      ...edges('2026-11-01', '-08:00', '08:00', '20:00', 'clocks went back at night'),
    ],
  },
  {
    ...state('OR', 'https://production.jdsupra.com/legalnews/oregon-passes-new-telephone-8210765', [
      'America/Denver',
      'America/Los_Angeles',
    ]),
    cases: edges('2026-12-01', '-08:00', '08:00', '19:00', 'the area code 541 has two zones'),
  },
  {
    ...state(
      'PA',
      'https://mslawgroup.com/regulatory-alert-pennsylvania-amends-telemarketing-registration-act/',
      NY,
    ),
    cases: [
      ...edges('2026-11-25', '-05:00', '08:00', '21:00', 'the day before Thanksgiving'),
      closed('2026-11-26T12:00-05:00', 'Thanksgiving'),
      ...edges('2026-11-27', '-05:00', '08:00', '21:00', 'the day after Thanksgiving'),
      closed('2026-12-25T12:00-05:00', 'Christmas'),
      closed('2027-01-01T12:00-05:00', 'New Year'),
      open('2026-09-07T12:00-04:00', 'Labor Day: the list of other holidays is not sure, so it only warns'),
      open('2019-11-28T12:00-05:00', 'Thanksgiving before the act'),
      closed('2019-12-25T12:00-05:00', 'Christmas after the act'),
    ],
  },
  {
    ...state('RI', 'https://instalawyer.io/laws/rhode-island-general-laws/section-5-61-2-definitions', NY),
    cases: [
      ...edges('2026-12-01', '-05:00', '09:00', '18:00', 'a Tuesday'),
      ...edges('2026-12-05', '-05:00', '10:00', '17:00', 'a Saturday'),
      closed('2026-12-06T12:00-05:00', 'a Sunday'),
      ...edges('2026-11-02', '-05:00', '09:00', '18:00', 'the Monday after the change of clocks'),
      closed('2026-11-11T12:00-05:00', 'Veterans Day'),
      closed('2026-11-26T12:00-05:00', 'Thanksgiving'),
      closed('2026-10-12T12:00-04:00', 'Columbus Day'),
      closed('2026-07-03T12:00-04:00', 'Independence Day is a Saturday, observed on Friday'),
      ...edges('2026-07-04', '-04:00', '10:00', '17:00', 'the exception is of Monday to Friday'),
      open('2026-08-10T12:00-04:00', 'Victory Day: the list of the state is not sure, so it only warns'),
      ...edges('1998-12-31', '-05:00', '08:00', '21:00', 'the day before the act'),
      closed('1999-01-01T12:00-05:00', 'New Year, its first day'),
      ...edges('1999-01-04', '-05:00', '09:00', '18:00', 'its first Monday'),
    ],
  },
  {
    ...state('SC', 'https://scstatehouse.gov/Archives/CodeofLaws2021/t37c021.php', NY),
    cases: edges('2026-12-01', '-05:00', '08:00', '21:00', 'as the federal hours'),
  },
  {
    ...state('SD', 'https://lexace.ai/us/statute/south-dakota/37-30-28', [
      'America/Chicago',
      'America/Denver',
      'America/North_Dakota/Center',
    ]),
    cases: [
      ...edges('2026-12-01', '-06:00', '10:00', '21:00', '9 a.m. in the west to 9 p.m. in the east'),
      closed('2026-12-05T12:00-06:00', 'a Saturday'),
      closed('2026-12-06T12:00-06:00', 'a Sunday'),
    ],
  },
  {
    ...state('SD', TCPA, ['America/Chicago', 'America/Denver', 'America/North_Dakota/Center']),
    voice: 'live',
    cases: edges('2026-12-05', '-06:00', '09:00', '21:00', 'a person speaks: the federal hours'),
  },
  {
    ...state(
      'UT',
      'https://codes.findlaw.com/ut/title-13-commerce-and-trade/ut-code-sect-13-25a-103/',
      DENVER,
    ),
    cases: [
      ...edges('2026-12-01', '-07:00', '08:00', '21:00', 'a Tuesday'),
      ...edges('2026-12-05', '-07:00', '08:00', '21:00', 'a Saturday'),
      closed('2026-12-06T12:00-07:00', 'a Sunday'),
      ...edges('2026-11-02', '-07:00', '08:00', '21:00', 'the Monday after the change of clocks'),
      closed('2026-06-15T12:00-06:00', 'Juneteenth is a Friday, and moves to the Monday before'),
      ...edges('2026-06-19', '-06:00', '08:00', '21:00', '19 June is no holiday then'),
      closed('2027-06-21T12:00-06:00', 'Juneteenth is a Saturday, and moves to the Monday after'),
      closed('2026-07-03T12:00-06:00', 'Independence Day is a Saturday, and moves to Friday'),
      ...edges('2026-07-04', '-06:00', '08:00', '21:00', 'it moved'),
      closed('2026-07-24T12:00-06:00', 'Pioneer Day'),
      closed('2026-11-26T12:00-07:00', 'Thanksgiving'),
      open('2027-03-26T12:00-06:00', 'Good Friday: the subsection was not seen, so it only warns'),
      ...edges('1996-06-30', '-06:00', '08:00', '21:00', 'a Sunday before the act'),
    ],
  },
  {
    ...state(
      'VA',
      'http://law.lis.virginia.gov/vacodepopularnames/virginia-telephone-privacy-protection-act/',
      NY,
    ),
    cases: edges('2026-12-01', '-05:00', '08:00', '21:00', 'as the federal hours'),
  },
  {
    ...state(
      'WA',
      'https://www.dwt.com/blogs/family-business-resource-center/2022/08/washington-tcpa-telemarketing-restrictions-law',
      LA,
    ),
    cases: [
      ...edges('2026-12-01', '-08:00', '08:00', '20:00', 'a Tuesday'),
      ...edges('2027-03-14', '-07:00', '08:00', '20:00', 'clocks went forward at night'),
      ...edges('2022-06-08', '-07:00', '08:00', '21:00', 'the day before HB 1497'),
      ...edges('2022-06-09', '-07:00', '08:00', '20:00', 'its first day'),
    ],
  },
  {
    ...state('WY', TCPA, DENVER),
    cases: edges('2026-12-01', '-07:00', '08:00', '21:00', 'the federal hours'),
  },
];

const D2239 = 'https://www.legifrance.gouv.fr/jorf/id/JORFTEXT000046421823';
const ITALY = 'https://www.money.it/call-center-nuove-regole-divieto-telefonate-per-giorni-e-orari';
const AUSTRALIA = 'https://www.donotcall.gov.au/consumers/consumer-overview/industry-standards/';
const CRTC = 'http://www.crtc.gc.ca/eng/trules-reglest.htm';
const SPAIN =
  'https://www.genbeta.com/actualidad/llamadas-comerciales-ilegales-a-partir-hora-asi-puedes-actuar-recibes';
const france = (date: string, offset: string, why: string) => [
  ...edges(date, offset, '10:00', '13:00', `${why}, before noon`),
  ...edges(date, offset, '14:00', '20:00', `${why}, after noon`),
];

const ELSEWHERE: readonly HoursOfPack[] = [
  {
    pack: 'ca',
    law: CRTC,
    country: 'CA',
    zones: ['America/Toronto'],
    cases: [
      ...edges('2026-12-01', '-05:00', '09:00', '21:30', 'a Tuesday'),
      ...edges('2026-12-05', '-05:00', '10:00', '18:00', 'a Saturday'),
      ...edges('2026-11-01', '-05:00', '10:00', '18:00', 'a Sunday, clocks went back at night'),
      open('2008-09-29T03:00-04:00', 'the day before the rules'),
      closed('2008-09-30T03:00-04:00', 'their first day'),
    ],
  },
  {
    pack: 'ca',
    law: CRTC,
    country: 'CA',
    zones: ['America/Vancouver'],
    cases: edges('2026-12-01', '-07:00', '09:00', '21:30', 'British Columbia no longer goes back'),
  },
  {
    pack: 'ca',
    law: CRTC,
    country: 'CA',
    zones: ['America/Halifax', 'America/Puerto_Rico', 'America/St_Johns'],
    cases: edges('2026-12-01', '-04:00', '09:00', '21:00', 'the area code 709 has several zones'),
  },
  {
    pack: 'fr',
    law: D2239,
    country: 'FR',
    zones: ['Europe/Paris'],
    cases: [
      ...france('2026-12-01', '+01:00', 'a Tuesday'),
      closed('2026-12-05T11:00+01:00', 'a Saturday'),
      closed('2026-12-06T11:00+01:00', 'a Sunday'),
      ...france('2026-10-23', '+02:00', 'the Friday before the change of clocks'),
      ...france('2026-10-26', '+01:00', 'the Monday after it'),
      closed('2026-11-11T11:00+01:00', 'Armistice'),
      closed('2026-12-25T11:00+01:00', 'Christmas'),
      closed('2027-03-29T11:00+02:00', 'Easter Monday'),
      closed('2027-05-06T11:00+02:00', 'Ascension'),
      closed('2027-05-17T11:00+02:00', 'Monday of Pentecost'),
      open('2027-03-26T11:00+01:00', 'Good Friday is no holiday'),
      open('2023-02-28T03:00+01:00', 'the day before the decree'),
      closed('2023-03-01T03:00+01:00', 'its first day'),
    ],
  },
  {
    pack: 'es',
    law: SPAIN,
    country: 'ES',
    zones: ['Europe/Madrid'],
    cases: [
      ...edges('2026-12-01', '+01:00', '09:00', '21:00', 'a Tuesday'),
      closed('2026-12-05T12:00+01:00', 'a Saturday'),
      closed('2026-12-06T12:00+01:00', 'a Sunday'),
      ...edges('2026-10-26', '+01:00', '09:00', '21:00', 'the Monday after the change of clocks'),
      closed('2026-10-12T12:00+02:00', 'Fiesta Nacional'),
      closed('2026-12-08T12:00+01:00', 'Inmaculada'),
      closed('2027-01-06T12:00+01:00', 'Epifanía'),
      closed('2027-03-26T12:00+01:00', 'Good Friday'),
      open('2027-03-25T12:00+01:00', 'Maundy Thursday is of communities'),
      open('2014-06-12T03:00+02:00', 'the day before the act'),
      closed('2014-06-13T03:00+02:00', 'its first day'),
    ],
  },
  {
    pack: 'es',
    law: SPAIN,
    country: 'ES',
    zones: ['Africa/Ceuta', 'Atlantic/Canary', 'Europe/Madrid'],
    cases: edges('2026-12-01', '+01:00', '10:00', '21:00', 'a mobile may be on the Canary Islands'),
  },
  {
    pack: 'it',
    law: ITALY,
    country: 'IT',
    zones: ['Europe/Rome'],
    cases: [
      ...edges('2026-12-01', '+01:00', '09:00', '20:00', 'a Tuesday'),
      ...edges('2026-12-05', '+01:00', '10:00', '19:00', 'a Saturday'),
      closed('2026-12-06T12:00+01:00', 'a Sunday'),
      ...edges('2026-12-07', '+01:00', '10:00', '19:00', 'the day before a holiday'),
      closed('2026-12-08T12:00+01:00', 'Immacolata'),
      ...edges('2026-12-09', '+01:00', '09:00', '20:00', 'the day after a holiday'),
      ...edges('2026-12-24', '+01:00', '10:00', '19:00', 'Christmas Eve'),
      closed('2026-12-25T12:00+01:00', 'Christmas'),
      closed('2026-12-26T12:00+01:00', 'Santo Stefano'),
      ...edges('2026-12-31', '+01:00', '10:00', '19:00', 'the day before New Year'),
      ...edges('2027-01-05', '+01:00', '10:00', '19:00', 'the day before Epiphany'),
      closed('2027-01-06T12:00+01:00', 'Epiphany'),
      ...edges('2026-10-26', '+01:00', '09:00', '20:00', 'the Monday after the change of clocks'),
      closed('2027-03-29T12:00+02:00', 'Easter Monday'),
      ...edges('2025-10-04', '+02:00', '10:00', '19:00', 'San Francesco before it was a holiday'),
      closed('2027-10-04T12:00+02:00', 'San Francesco, a Monday'),
      open('2024-09-27T03:00+02:00', 'the day before the code'),
      ...edges('2024-09-28', '+02:00', '10:00', '19:00', 'its first day, a Saturday'),
    ],
  },
  {
    pack: 'au',
    law: AUSTRALIA,
    country: 'AU',
    zones: ['Australia/Sydney'],
    cases: [
      ...edges('2026-12-01', '+11:00', '09:00', '20:00', 'a Tuesday'),
      ...edges('2026-12-05', '+11:00', '09:00', '17:00', 'a Saturday'),
      closed('2026-12-06T12:00+11:00', 'a Sunday'),
      ...edges('2026-10-03', '+10:00', '09:00', '17:00', 'the Saturday before the change of clocks'),
      ...edges('2026-10-05', '+11:00', '09:00', '20:00', 'the Monday after it'),
      closed('2026-12-25T12:00+11:00', 'Christmas'),
      ...edges('2026-12-26', '+11:00', '09:00', '17:00', 'Boxing Day is not sure, so it only warns'),
      closed('2027-01-01T12:00+11:00', 'New Year'),
      closed('2027-01-26T12:00+11:00', 'Australia Day'),
      closed('2027-03-26T12:00+11:00', 'Good Friday'),
      closed('2027-03-29T12:00+11:00', 'Easter Monday'),
      closed('2026-04-25T12:00+10:00', 'Anzac Day, a Saturday'),
      open('2017-03-28T03:00+11:00', 'the day before the standard'),
      closed('2017-03-29T03:00+11:00', 'its first day'),
    ],
  },
  {
    pack: 'au',
    law: AUSTRALIA,
    country: 'AU',
    zones: ['Australia/Sydney'],
    purpose: 'survey',
    cases: [
      ...edges('2026-12-01', '+11:00', '09:00', '20:30', 'research on a Tuesday'),
      ...edges('2026-12-05', '+11:00', '09:00', '17:00', 'research on a Saturday'),
      ...edges('2026-10-04', '+11:00', '09:00', '17:00', 'a Sunday, clocks went forward at night'),
      closed('2026-12-25T12:00+11:00', 'Christmas'),
    ],
  },
  {
    pack: 'au',
    law: AUSTRALIA,
    country: 'AU',
    zones: [
      'Australia/Adelaide',
      'Australia/Brisbane',
      'Australia/Darwin',
      'Australia/Eucla',
      'Australia/Lord_Howe',
      'Australia/Perth',
      'Australia/Sydney',
      'Indian/Christmas',
      'Indian/Cocos',
    ],
    cases: edges('2026-12-01', '+11:00', '13:30', '20:00', 'a mobile may be from Cocos to Lord Howe'),
  },
  {
    pack: 'za',
    law: 'https://www.acts.co.za/consumer-protection-act-2008/r293_prohibited_time_for_contacting_consumers',
    country: 'ZA',
    zones: ['Africa/Johannesburg'],
    cases: [
      ...edges('2026-12-01', '+02:00', '08:00', '20:00', 'a Tuesday'),
      ...edges('2026-12-05', '+02:00', '09:00', '13:00', 'a Saturday'),
      closed('2026-12-06T12:00+02:00', 'a Sunday'),
      closed('2026-08-10T12:00+02:00', 'the Monday after Women’s Day, a Sunday'),
      closed('2026-12-16T12:00+02:00', 'Day of Reconciliation'),
      closed('2026-12-25T12:00+02:00', 'Christmas'),
      closed('2026-12-26T12:00+02:00', 'Day of Goodwill, a Saturday'),
      closed('2026-03-21T12:00+02:00', 'Human Rights Day, a Saturday'),
      open('2026-03-23T12:00+02:00', 'the Monday after a holiday on a Saturday'),
      closed('2027-03-22T12:00+02:00', 'the Monday after Human Rights Day, a Sunday'),
      closed('2027-03-26T12:00+02:00', 'Good Friday'),
      closed('2027-03-29T12:00+02:00', 'Family Day'),
      open('2011-03-31T03:00+02:00', 'the day before the regulation'),
      closed('2011-04-01T03:00+02:00', 'its first day'),
    ],
  },
  {
    pack: 'ae',
    law: 'https://www.emirates247.com/business/economy-finance/uae-announce-new-resolutions-on-controls-and-procedures-regulating-telemarketing-effective-from-mid-august-2024-2024-06-09-1.733078',
    country: 'AE',
    zones: ['Asia/Dubai'],
    cases: [
      ...edges('2026-12-04', '+04:00', '09:00', '18:00', 'a Friday'),
      ...edges('2026-12-06', '+04:00', '09:00', '18:00', 'a Sunday'),
      open('2024-08-26T03:00+04:00', 'the day before the resolution'),
      closed('2024-08-27T03:00+04:00', 'its first day'),
    ],
  },
  ...[
    ['gb', 'GB', 'Europe/London', '+00:00', 'https://caps-ltd.co.uk/?p=5789'],
    [
      'de',
      'DE',
      'Europe/Berlin',
      '+01:00',
      'https://ihk.de/hannover/hauptnavigation/recht/wirtschafts-und-wettbewerbsrecht2/wettbewerbsrecht/telefonwerbung-einwilligung-dokumentieren-und-aufbewahren-5344294',
    ],
    [
      'nl',
      'NL',
      'Europe/Amsterdam',
      '+01:00',
      'https://tweakers.net/nieuws/183860/telemarketing-zonder-toestemming-vooraf-is-vanaf-donderdag-bij-wet-verboden.html',
    ],
    [
      'be',
      'BE',
      'Europe/Brussels',
      '+01:00',
      'https://www.lavenir.net/cnt/dmf20211130_01641304/tuto-comment-ne-plus-etre-appele-par-des-demarcheurs-en-belgique',
    ],
    ['eu', 'PT', 'Europe/Lisbon', '+00:00', 'https://powerquant.dk/en/article-50-transparency'],
    [
      'mx',
      'MX',
      'America/Mexico_City',
      '-06:00',
      'https://www.proceso.com.mx/nacional/2025/10/14/profeco-asi-te-inscribes-al-repep-para-dejar-de-recibir-llamadas-publicitarias-360644.html',
    ],
  ].map(([pack = '', country = '', zone = '', offset = '', law = '']): HoursOfPack => ({
    pack,
    law,
    country,
    zones: [zone],
    cases: [open(`2026-12-06T03:00${offset}`, 'no hours of law were found')],
  })),
];

export const HOURS_OF_PACKS = [...UNITED_STATES, ...ELSEWHERE];
