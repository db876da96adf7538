/** Tables whose rows are removed after some time. */
const CALL_TABLES = ['call_requests', 'call_details'] as const;
const EVENT_TABLES = ['events', 'webhook_deliveries'] as const;
export const RETAINED_TABLES = [...CALL_TABLES, ...EVENT_TABLES, 'idempotency_keys'] as const;
export type RetainedTable = (typeof RETAINED_TABLES)[number];
