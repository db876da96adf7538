/** ISO 3166-2 of the names that libphonenumber's descriptions of area codes have. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  Alabama: ['US-AL'],
  Alaska: ['US-AK'],
  Arizona: ['US-AZ'],
  Arkansas: ['US-AR'],
  California: ['US-CA'],
  Colorado: ['US-CO'],
  Connecticut: ['US-CT'],
  Delaware: ['US-DE'],
  'Washington D.C.': ['US-DC'],
  Florida: ['US-FL'],
  Georgia: ['US-GA'],
  Hawaii: ['US-HI'],
  Idaho: ['US-ID'],
  Illinois: ['US-IL'],
  Indiana: ['US-IN'],
  Iowa: ['US-IA'],
  Kansas: ['US-KS'],
  Kentucky: ['US-KY'],
  Louisiana: ['US-LA'],
  Maine: ['US-ME'],
  Maryland: ['US-MD'],
  Massachusetts: ['US-MA'],
  Michigan: ['US-MI'],
  Minnesota: ['US-MN'],
  Mississippi: ['US-MS'],
  Missouri: ['US-MO'],
  Montana: ['US-MT'],
  Nebraska: ['US-NE'],
  Nevada: ['US-NV'],
  'New Hampshire': ['US-NH'],
  'New Jersey': ['US-NJ'],
  'New Mexico': ['US-NM'],
  'New York': ['US-NY'],
  'North Carolina': ['US-NC'],
  'North Dakota': ['US-ND'],
  Ohio: ['US-OH'],
  Oklahoma: ['US-OK'],
  Oregon: ['US-OR'],
  Pennsylvania: ['US-PA'],
  'Rhode Island': ['US-RI'],
  'South Carolina': ['US-SC'],
  'South Dakota': ['US-SD'],
  Tennessee: ['US-TN'],
  Texas: ['US-TX'],
  Utah: ['US-UT'],
  Vermont: ['US-VT'],
  Virginia: ['US-VA'],
  'Washington State': ['US-WA'],
  'West Virginia': ['US-WV'],
  Wisconsin: ['US-WI'],
  Wyoming: ['US-WY'],
  Alberta: ['CA-AB'],
  'British Columbia': ['CA-BC'],
  // The spelling of one description.
  'British Colombia': ['CA-BC'],
  Manitoba: ['CA-MB'],
  'New Brunswick': ['CA-NB'],
  'Newfoundland and Labrador': ['CA-NL'],
  'Northwest Territories/Nunavut/Yukon': ['CA-NT', 'CA-NU', 'CA-YT'],
  'Nova Scotia/Prince Edward Island': ['CA-NS', 'CA-PE'],
  Ontario: ['CA-ON'],
  Quebec: ['CA-QC'],
  Saskatchewan: ['CA-SK'],
};

const BY_LETTERS = new Map(
  Object.values(STATES)
    .flat()
    .map((code) => [code.slice(3), code]),
);

/** The states that a description such as `Florida` or `Palm Beach, FL` names; empty if it names none. */
export function statesIn(description: string): readonly string[] {
  const known = STATES[description];
  if (known !== undefined) return known;
  const letters = /, ([A-Z]{2})$/.exec(description)?.[1] ?? description;
  const code = BY_LETTERS.get(letters);
  return code === undefined ? [] : [code];
}

/** The countries and territories of +1 besides the United States and Canada, by area code; of the territories of the former, ISO 3166-2. */
export const OTHER_AREA_CODES: Readonly<Record<string, { country: string; regions: readonly string[] }>> = {
  ...within('US', { 340: 'VI', 670: 'MP', 671: 'GU', 684: 'AS', 787: 'PR', 939: 'PR' }),
  ...independent({
    242: 'BS',
    246: 'BB',
    264: 'AI',
    268: 'AG',
    284: 'VG',
    345: 'KY',
    441: 'BM',
    473: 'GD',
    649: 'TC',
    658: 'JM',
    664: 'MS',
    721: 'SX',
    758: 'LC',
    767: 'DM',
    784: 'VC',
    809: 'DO',
    829: 'DO',
    849: 'DO',
    868: 'TT',
    869: 'KN',
    876: 'JM',
  }),
};

function within(sovereign: string, codes: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(codes).map(([code, country]) => [code, { country, regions: [`${sovereign}-${country}`] }]),
  );
}

function independent(codes: Record<string, string>) {
  return Object.fromEntries(Object.entries(codes).map(([code, country]) => [code, { country, regions: [] }]));
}
