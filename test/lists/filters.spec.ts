import 'reflect-metadata';
import { CALL_FILTERS, OWN_CALL_FILTERS } from '../../src/calls/records/call-filters.js';
import { ENROLLMENT_FILTERS, ENROLLMENT_LIST_FILTERS } from '../../src/campaigns/records/enrollment.dto.js';
import { CONTACT_FILTERS } from '../../src/contacts/contact-filters.js';
import { DELIVERY_FILTERS } from '../../src/events/webhooks/delivery-filters.js';
import { FilterReader, type ListFilters } from '../../src/http/filters.js';
import { IMPORT_FILTERS } from '../../src/imports/import-filters.js';
import { FilterColumns, writtenConditions } from '../../src/lists/filter-sql.js';
import { apiDocument } from '../../src/openapi/api-document.js';
import { filesBelow, read } from '../support/repository.js';

/** The filters of each list, by the operations that have them. */
const LISTS: Record<string, ListFilters> = {
  listCallsByKey: OWN_CALL_FILTERS,
  exportCalls: OWN_CALL_FILTERS,
  listCalls: CALL_FILTERS,
  listContacts: CONTACT_FILTERS,
  exportContacts: CONTACT_FILTERS,
  listEnrollments: ENROLLMENT_FILTERS,
  listCampaignEnrollments: ENROLLMENT_LIST_FILTERS,
  listImports: IMPORT_FILTERS,
  listWebhookDeliveries: DELIVERY_FILTERS,
};

const operations = Object.values(apiDocument().paths).flatMap((path) => Object.values(path));
const OF_PAGES = ['limit', 'cursor', 'format', 'bom'];

test.each(Object.entries(LISTS))('%s documents the filters of its list, and no others', (id, filters) => {
  const { parameters = [] } = operations.find(({ operationId }) => operationId === id) ?? {};
  const documented = parameters.filter((one) => one.in === 'query' && !OF_PAGES.includes(one.name));
  expect(documented.map(({ name, description, schema }) => ({ name, description, schema }))).toEqual(
    Object.entries(filters).map(([name, { description, schema }]) => ({ name, description, schema })),
  );
});

test('a refusal names every malformed filter, in the order of the list', () => {
  const sent = { status: 'ringing', agentId: 'x', acceptedTo: 'tomorrow', campaignId: UUID.toUpperCase() };
  const reader = new FilterReader(OWN_CALL_FILTERS, { filters: sent });
  expect(() => reader.done()).toThrow(
    /^status must be one of .*; agentId must be a UUID; acceptedTo must be a date-time with an offset/,
  );
  expect(reader.values).toMatchObject({ status: null, campaignId: UUID, contactId: null });
});

const UUID = '0b8f4e5c-7a9d-4c1e-9f2a-3b4c5d6e7f80';

test('a prepared statement has a parameter for each filter with a condition', () => {
  const columns = new FilterColumns(CONTACT_FILTERS, 5);
  expect(columns.matches()).toBe(
    '($5::text IS NULL OR c.external_id = $5) AND ($6::text IS NULL OR c.email = $6) AND ($7::timestamptz IS NULL OR c.updated_at >= $7)',
  );
  expect(columns.matches('email')).toBe(
    '($5::text IS NULL OR c.external_id = $5) AND ($7::timestamptz IS NULL OR c.updated_at >= $7)',
  );
  const values = { phoneNumber: '+1', externalId: 'x', email: 'a', updatedSince: null };
  expect(columns.values(values)).toEqual(['x', 'a', null]);
});

test('a written statement has the conditions of the filters that are set', () => {
  const { values } = new FilterReader(CALL_FILTERS, { filters: { reason: '-', agentId: UUID } });
  const parameters: unknown[] = [];
  const conditions = writtenConditions(
    CALL_FILTERS,
    values,
    (value, type) => `$${parameters.push(value)}::${type}`,
  );
  expect(conditions).toEqual([
    '(r.agent_id = $1::uuid) IS TRUE',
    "r.reason IS NOT DISTINCT FROM nullif($2::text, '-')",
  ]);
  expect(parameters).toEqual([UUID, '-']);
});

test('a filter is described at one place', () => {
  const sources = filesBelow('src').filter((path) => /[.]tsx?$/.test(path));
  const described = sources.flatMap((path) => read(path).match(/Only [^`'"]+[.](?=['"`])/g) ?? []);
  const descriptions = Object.values(LISTS)
    .flatMap((filters) => Object.values(filters))
    .map(({ description }) => description)
    .filter((description) => !/[`$]/.test(description));
  const isRepeated = (text: string) => described.filter((one) => one === text).length > 1;
  expect(descriptions.filter(isRepeated)).toEqual([]);
});
