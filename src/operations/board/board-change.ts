import { type AuditedChange } from '../../audit/audited-change.js';

/** What the board's verbs do, as the audit log says it. Others are `queue.changed`. */
const ACTIONS: Readonly<Record<string, string>> = {
  add: 'job_added',
  clean: 'cleaned',
  concurrency: 'concurrency_changed',
  delay: 'job_delayed',
  empty: 'emptied',
  obliterate: 'obliterated',
  pause: 'paused',
  priority: 'job_prioritized',
  promote: 'promoted',
  'rate-limit': 'rate_limit_changed',
  resume: 'resumed',
  retry: 'retried',
  'update-data': 'job_data_changed',
};

/** Verbs of a queue that are followed by the state of the jobs. */
const OF_STATE = new Set(['clean', 'retry']);

/**
 * What a request to the board asks for, by its address: the board's routes are `/api/queues/{verb}`,
 * `/api/queues/{queue}/{verb}`, `/api/queues/{queue}/{clean or retry}/{state}` and
 * `/api/queues/{queue}/{job}/{verb}`. The body is left out, because it may hold data of a job.
 *
 * @param path below `/admin/queues`, such as `/api/queues/calls/pause`.
 */
export function boardChange(method: string, path: string): AuditedChange {
  const steps = path.split('/').filter((step) => step !== '');
  const [first, second, ...rest] = steps.map(decoded);
  const isOfQueues = first === 'api' && second === 'queues';
  const ofOneQueue = isOfQueues && rest.length > 1;
  const queue = ofOneQueue ? (rest[0] ?? null) : null;
  const own = ofOneQueue ? rest.slice(1) : rest;
  const [one = '', other] = own;
  const isOfState = other !== undefined && OF_STATE.has(one);
  const verb = other === undefined || isOfState ? one : (own.at(-1) ?? '');
  const action = isOfQueues && own.length <= 2 ? ACTIONS[verb] : undefined;
  return {
    teamId: null,
    action: `queue.${action ?? 'changed'}`,
    target: { type: 'queue', id: queue },
    after: {
      ...(isOfState && { jobs: other }),
      ...(!isOfState && other !== undefined && action !== undefined && { job: one }),
      ...(action === undefined && { request: `${method} /${steps.map(decoded).join('/')}` }),
    },
  };
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
