/**
 * The type of the event that tests an endpoint. The data of the event is the endpoint, and its sequence is 0.
 * An endpoint gets the event whatever `types` it has.
 */
export const TEST_EVENT = 'webhook.test';
