import { type ColumnOverride, type ContactColumn, mapColumns } from '../../src/domain/contact-columns.js';

/** `field`, `"property"`, `field+"property"` or `-` of each column, or the message of the refusal. */
function mapped(headers: string, ...overrides: [string, ColumnOverride['target']][]): string[] | string {
  const result = mapColumns(
    headers.split(','),
    overrides.map(([header, target]) => ({ header, target })),
  );
  return result.ok ? result.columns.map(shown) : result.message;
}

function shown({ field, customProperty, part }: ContactColumn): string {
  const parts = [
    ...(field === null ? [] : [part === null ? field : `${field}:${part}`]),
    ...(customProperty === null ? [] : [`"${customProperty}"`]),
  ];
  return parts.length === 0 ? '-' : parts.join('+');
}

describe('columns of other products', () => {
  test.each([
    [
      'HubSpot',
      'Record ID,First Name,Last Name,Email,Phone Number,Company name,Time Zone,Website URL,Lifecycle Stage',
      [
        '"Record ID"',
        'name:first+"First Name"',
        'name:last+"Last Name"',
        'email',
        'phoneNumber',
        'companyName',
        'timezone',
        'companyWebsite',
        '"Lifecycle Stage"',
      ],
    ],
    [
      'Salesforce',
      'Contact ID,Salutation,FirstName,LastName,MobilePhone,Email,Account Name',
      [
        '"Contact ID"',
        '"Salutation"',
        'name:first+"FirstName"',
        'name:last+"LastName"',
        'phoneNumber',
        'email',
        'companyName',
      ],
    ],
    [
      'Google Contacts',
      'Name,Given Name,Family Name,E-mail 1 - Value,Phone 1 - Value,Organization 1 - Name,Website 1 - Value',
      ['name', '"Given Name"', '"Family Name"', 'email', 'phoneNumber', 'companyName', 'companyWebsite'],
    ],
    [
      'VICIdial',
      'vendor_lead_code,phone_code,phone_number,first_name,last_name,gmt_offset,email',
      [
        '"vendor_lead_code"',
        '"phone_code"',
        'phoneNumber',
        'name:first+"first_name"',
        'name:last+"last_name"',
        '"gmt_offset"',
        'email',
      ],
    ],
    [
      'any spelling of the fields',
      'PHONE-NUMBER,full_name,E-Mail,Company,Time_Zone,web site,CAMPAIGN ID,External_ID',
      [
        'phoneNumber',
        'name',
        'email',
        'companyName',
        'timezone',
        'companyWebsite',
        'campaignId',
        'externalId',
      ],
    ],
  ])('%s', (_, headers, columns) => {
    expect(mapped(headers)).toEqual(columns);
  });
});

describe('two columns for one field', () => {
  test.each([
    [
      'Phone,Mobile',
      'The columns "Phone" and "Mobile" are both phoneNumber; choose one, for example with map=Phone:phoneNumber',
    ],
    [
      'Phone Number,Mobile Phone Number',
      'The columns "Phone Number" and "Mobile Phone Number" are both phoneNumber; choose one',
    ],
    ['Phone,Mobile,Tel', 'The columns "Phone", "Mobile" and "Tel" are all phoneNumber'],
    ['phone,Email,E-mail', 'The columns "Email" and "E-mail" are both email'],
    ['phone,First Name,Given Name', 'The columns "First Name" and "Given Name" are both firstName'],
  ])('%s is refused', (headers, message) => {
    expect(mapped(headers)).toContain(message);
  });

  test('are told apart by the request', () => {
    expect(mapped('Phone,Mobile', ['Mobile', 'phoneNumber'])).toEqual(['"Phone"', 'phoneNumber']);
    expect(mapped('Phone,Mobile', ['phone', 'ignore'])).toEqual(['-', 'phoneNumber']);
    expect(mapped('Phone,Mobile', ['Phone', 'phoneNumber'], ['Mobile', 'phoneNumber'])).toContain('are both');
  });

  test('are told apart by the name of the field itself', () => {
    expect(mapped('phoneNumber,Mobile')).toEqual(['phoneNumber', '"Mobile"']);
    expect(mapped('phone,Name,Full Name')).toEqual(['phoneNumber', 'name', '"Full Name"']);
    expect(mapped('phone,Name,name')).toEqual(['phoneNumber', '"Name"', 'name']);
  });
});

test('a request says of any column what it is', () => {
  expect(
    mapped(
      'Rufnummer,Vorname,Nachname,plan,email',
      ['Rufnummer', 'phoneNumber'],
      ['Vorname', 'firstName'],
      ['Nachname', 'lastName'],
      ['plan', 'ignore'],
      ['email', 'property'],
    ),
  ).toEqual(['phoneNumber', 'name:first+"Vorname"', 'name:last+"Nachname"', '-', '"email"']);
  expect(mapped('phone,a', ['b', 'ignore'])).toBe('The header has no column "b", which map names');
  expect(mapped('phone,a', ['a', 'ignore'], ['A', 'name'])).toBe('map names the column "A" twice');
  expect(mapped('phone,name,a', ['a', 'firstName'])).toBe('map names a whole name and its first half');
});

test('a whole name has precedence over its halves', () => {
  expect(mapped('phone,name,First Name')).toEqual(['phoneNumber', 'name', '"First Name"']);
});

test('a header without a column for the phone number is refused without naming its columns', () => {
  // Without a header, the first row would be named.
  expect(mapped('+14155552671,Ada')).toMatch(/^The header must have the column phoneNumber/);
  expect(mapped('+14155552671,Ada')).not.toContain('Ada');
});

test('the columns of an export and of failed rows', () => {
  expect(mapped('contactId,phoneNumber,customProperties')).toEqual(['-', 'phoneNumber', 'customProperties']);
  expect(mapped('contactId,phoneNumber')).toEqual(['"contactId"', 'phoneNumber']);
  expect(mapped('row,error,phoneNumber')).toEqual(['-', '-', 'phoneNumber']);
  expect(mapped('phoneNumber,row,error')).toEqual(['phoneNumber', '"row"', '"error"']);
});
