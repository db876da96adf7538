/** The closed dates of 2026 by rule, as calendars of the places print them, and where these were read. */
export const HOLIDAYS_OF_2026: readonly [rule: string, source: string, dates: string][] = [
  [
    'fr-holidays',
    'C. trav. art. L.3133-1',
    '01-01 04-06 05-01 05-08 05-14 05-25 07-14 08-15 11-01 11-11 12-25',
  ],
  [
    'us-ut-holidays',
    'Utah Code 63G-1-301',
    '01-01 01-19 02-16 05-25 06-15 07-03 07-24 09-07 10-12 11-11 11-26 12-25',
  ],
  ['us-ri-holidays', '5 U.S.C. 6103', '01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25'],
  ['us-pa-holidays', 'repgillen.com', '01-01 11-26 12-25'],
  ['us-ri-state-holidays', 'Victory Day, and the election', '08-10 11-03'],
  ['us-ut-good-friday', 'Utah Code 63G-1-301', '04-03'],
  ['au-holidays', 'the national days', '01-01 01-26 04-03 04-06 04-25 12-25'],
  [
    'za-holidays',
    'Public Holidays Act 36 of 1994',
    '01-01 03-21 04-03 04-06 04-27 05-01 06-16 08-09 08-10 09-24 12-16 12-25 12-26',
  ],
  [
    'es-holidays',
    'BOE 2025-10-28, by europapress.es; 6 December by RD 2001/1983 art. 45.1',
    '01-01 01-06 04-03 05-01 08-15 10-12 11-01 12-06 12-08 12-25',
  ],
  [
    'it-holidays',
    'legge 260/1949 without the days that legge 54/1977 abolished',
    '01-01 01-06 04-06 04-25 05-01 06-02 08-15 11-01 12-08 12-25 12-26',
  ],
  ['it-san-francesco', 'legge 151/2025', '10-04'],
];
