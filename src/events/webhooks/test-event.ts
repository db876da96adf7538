/**
 * The type of the event that tests an endpoint. Its data is the endpoint, its sequence 0; every endpoint gets
 * it.
 */
export const TEST_EVENT = 'webhook.test';
