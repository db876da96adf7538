import { type Statement } from '../database/transactions.js';

/*
 * The metrics from Postgres. They count over all teams, so they are security-definer functions in
 * the `sql/functions` of their rooms, to which row-level security does not apply.
 */

/**
 * Due calls that no worker has claimed, as the sweeper finds them. Calls that a pause holds are not counted.
 * `waiting` counts the calls that wait for a concurrency slot.
 */
export const OVERDUE: Statement = {
  name: 'overdue',
  text: 'SELECT calls, seconds, count_waiting_calls() AS waiting FROM count_overdue_calls()',
};

export interface OverdueRow {
  calls: number;
  seconds: number;
  waiting: number;
}

/** Calls that have not ended, by status. */
export const OPEN_CALLS: Statement = {
  name: 'open_calls',
  text: 'SELECT status, calls FROM count_open_calls()',
};

export interface OpenCallsRow {
  status: string;
  calls: number;
}

/** Events that have no sequence yet. */
export const UNNUMBERED_EVENTS: Statement = {
  name: 'count_unnumbered_events',
  text: 'SELECT events, seconds FROM count_unnumbered_events()',
};

export interface UnnumberedRow {
  events: number;
  /** The age of the oldest of these events. */
  seconds: number;
}

/** The age of the oldest row in each table from which rows are removed. */
export const OLDEST_ROWS: Statement = {
  name: 'oldest_rows',
  text: 'SELECT name, seconds FROM oldest_rows()',
};

export interface OldestRow {
  /** The name of the table. */
  name: string;
  seconds: number;
}

/** Imports that have not ended. */
export const IMPORTS: Statement = {
  name: 'measure_imports',
  text: 'SELECT staging, running, idle_seconds FROM measure_imports()',
};

export interface ImportsRow {
  staging: number;
  running: number;
  idle_seconds: number;
}

/** Enabled endpoints that fail every attempt. */
export const FAILING_WEBHOOKS: Statement = {
  name: 'measure_failing_webhooks',
  text: 'SELECT endpoints, seconds FROM measure_failing_webhooks()',
};

export interface FailingWebhooksRow {
  endpoints: number;
  /** For how long the first of them fails. */
  seconds: number;
}

/** The real time of Postgres, in seconds. Unlike `outdial_now()`, it never moves. */
export const REAL_TIME: Statement = {
  name: 'real_time',
  text: 'SELECT extract(epoch FROM clock_timestamp())::float8 AS seconds',
};

export interface RealTimeRow {
  seconds: number;
}

/** How long the oldest due delivery is overdue, and how many endpoints were disabled because they failed. */
export const WEBHOOKS: Statement = {
  name: 'measure_webhooks',
  text: 'SELECT seconds, disabled FROM measure_webhooks()',
};

export interface WebhooksRow {
  seconds: number;
  disabled: number;
}

/** The backlog of campaigns that are not paused. */
export const CAMPAIGNS: Statement = {
  name: 'measure_campaigns',
  text: 'SELECT due, seconds, stalled FROM measure_campaigns()',
};

export interface CampaignsRow {
  due: number;
  seconds: number;
  stalled: number;
}

/** The registers in force. */
export const REGISTERS: Statement = {
  name: 'measure_registers',
  text: 'SELECT register, seconds, numbers FROM measure_registers()',
};

export interface RegisterRow {
  register: string;
  /** Since its list was made. */
  seconds: number;
  numbers: number;
}
