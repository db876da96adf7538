import { type Config } from '../../config/config.js';
import { invalid } from '../../http/app-error.js';
import { bytesOf } from '../../http/body.js';
import {
  type CallbackContext,
  type CallbackHandler,
  type CallReports,
  type CarrierCallbacks,
  type ReportResult,
} from '../callbacks.js';
import { LIVEKIT_ROUTES } from './callback-routes.js';
import { type LiveKitConfig } from './livekit.config.js';
import { type LiveKitReport, LiveKitWebhooks, WEBHOOK_CONTENT_TYPE } from './livekit-webhooks.js';

type Settings = Config & LiveKitConfig;

/**
 * Receives LiveKit's webhooks. LiveKit must be configured, and its signature must match exactly this body.
 */
export const livekitCallbacks: CarrierCallbacks<Settings> = {
  path: 'api/carriers/livekit/webhook',
  routes: LIVEKIT_ROUTES,
  open: (context) => ({ routes: { post: webhook(context) } }),
};

function webhook({ config, reports, unauthorized }: CallbackContext<Settings>): CallbackHandler {
  const { livekitApiKey: key, livekitApiSecret: secret } = config;
  const webhooks = key !== undefined && secret !== undefined ? new LiveKitWebhooks(key, secret) : null;
  return async (request) => {
    // The digest of the whole body is signed, so the body is read before its signature is verified.
    const bytes = await bytesOf(request);
    const read = (await webhooks?.read(bytes, request.headers.authorization)) ?? 'forged';
    if (read === 'forged') throw unauthorized(request);
    if (!request.is(WEBHOOK_CONTENT_TYPE)) throw invalid(`Content-Type must be ${WEBHOOK_CONTENT_TYPE}`);
    if (read === 'malformed') throw invalid('The body is not a webhook event of LiveKit');
    return { moved: (await record(reports, read)) === 'changed' };
  };
}

function record(reports: CallReports, report: LiveKitReport): Promise<ReportResult> {
  switch (report.kind) {
    case 'event':
      return reports.record(report.event);
    case 'room_finished': {
      const call = { callRequestId: report.callRequestId, carrierCallId: report.room };
      return reports.recordSilentEnd(call, 'livekit_room_finished');
    }
    case 'ignored':
      return Promise.resolve('unchanged');
  }
}
