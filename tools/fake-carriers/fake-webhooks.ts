import { createHash, randomUUID } from 'node:crypto';
import { type ParticipantInfo, type Room, WebhookEvent } from '@livekit/protocol';
import { AccessToken } from 'livekit-server-sdk';

const PATIENCE_MS = 10_000;

/** A webhook as LiveKit posts it. */
export function webhook(
  event: string,
  room: Room,
  participant?: ParticipantInfo,
  at = new Date(),
): WebhookEvent {
  return new WebhookEvent({
    event,
    // Copies of the current state; a later change is in a later webhook.
    room: room.clone(),
    ...(participant && { participant: participant.clone() }),
    id: `EV_${randomUUID()}`,
    createdAt: BigInt(Math.floor(at.getTime() / 1_000)),
  });
}

export interface Signed {
  body: string;
  headers: Record<string, string>;
}

/** With the digest of the body in a token, which stands in the header without `Bearer`. */
export async function signed(event: WebhookEvent, apiKey: string, apiSecret: string): Promise<Signed> {
  const body = event.toJsonString();
  return {
    body,
    headers: {
      authorization: await livekitToken(body, apiKey, apiSecret),
      'content-type': 'application/webhook+json',
      'user-agent': 'LiveKit',
    },
  };
}

/** What stands in the header `Authorization` of a webhook with this body. */
export function livekitToken(body: string, apiKey: string, apiSecret: string): Promise<string> {
  const token = new AccessToken(apiKey, apiSecret, { ttl: '5m' });
  token.sha256 = createHash('sha256').update(body).digest('base64');
  return token.toJwt();
}

/** Posts one, again until it is taken, as LiveKit does. @returns the last status. */
export async function deliver(url: string, webhook: Signed): Promise<number> {
  for (let tries = 0; ; tries++) {
    const status = await deliverOnce(url, webhook);
    if (status < 500 || tries === 4) return status;
  }
}

/** @returns the status. @throws where there is no answer. */
export async function deliverOnce(url: string, { body, headers }: Signed): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await answer.body?.cancel();
  return answer.status;
}
