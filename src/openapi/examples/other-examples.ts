import { CARRIER_CALLBACKS_OPENAPI } from '../../carrier-callbacks/carrier-callbacks.openapi.js';
import { type OperationExample } from './operation-example.js';

/** The examples of the operations without a key or with a token of their own, by `operationId`. */
export const OTHER_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  reportSimulatorEvent: {
    body: {
      callRequestId: '$CALL_REQUEST_ID',
      carrierCallId: null,
      status: 'completed',
      at: '2026-11-20T14:00:33Z',
      answeredAt: '2026-11-20T14:00:03Z',
      durationSeconds: 30,
    },
  },
  isLive: {},
  isReady: {},
  getMetrics: {},
  getDocsPage: { saveAs: 'outdial.html' },
  getOpenApiDocument: { saveAs: 'openapi.json' },
};

/** Their fields are the carrier's. */
const ACCOUNTS = ['list', 'create', 'get', 'update', 'delete', 'check'].flatMap((change) => {
  const id = `${change}CarrierAccount${change === 'list' ? 's' : ''}`;
  return [id, `${id}ByKey`];
});

const reports = CARRIER_CALLBACKS_OPENAPI.flatMap(({ operations }) => Object.values(operations));

/**
 * The text for each operation without an example, by `operationId`. It names the component that sends the
 * request.
 */
export const SENT_BY_OTHERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    reports
      .filter(({ id }) => !(id in OTHER_EXAMPLES))
      .map(({ id }) => [id, 'The carrier sends this request. It signs the request.']),
  ),
  ...Object.fromEntries(
    ACCOUNTS.map((id) => [
      id,
      'The document of the carrier shows this request with the fields of its credentials.',
    ]),
  ),
  reportHttpCarrierEvent:
    'The service behind the HTTP carrier sends this request. It is signed as Standard Webhooks specifies.',
};
