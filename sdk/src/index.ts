// What the package exports.
export {
  type CallOptions,
  type CallWindow,
  type ContactOptions,
  type KeyedOptions,
  type RequestOptions,
} from './core/options.js';
export { type List } from './core/list.js';
export { type UploadSource } from './core/upload.js';
export {
  ApiError,
  type CallRefusalReason,
  ConnectionError,
  type ErrorBody,
  type ErrorCode,
  OutdialError,
  type Problem,
  TimeoutError,
} from './errors.js';
export { Outdial, type OutdialOptions } from './outdial.js';
export { type EventQuery } from './resources/events.js';
export { type UploadOptions } from './resources/imports.js';
export type * from './types.js';
export { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './verify-webhook.js';
