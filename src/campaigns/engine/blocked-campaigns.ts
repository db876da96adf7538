import { Injectable } from '@nestjs/common';
import { type WaitingFor } from '../../domain/campaigns/decide/decision.js';
import { type Refusals } from './settlement.service.js';

/** How long a refusal is remembered. While dials wait, the engine tries again each second. */
const REMEMBERED_MS = 5_000;

/** The campaigns that this process has lately found at a limit that all their dials share. */
@Injectable()
export class BlockedCampaigns {
  private readonly refusals = new Map<string, { refusal: WaitingFor; at: number }>();

  note(campaignId: string, refusal: WaitingFor): void {
    this.refusals.set(campaignId, { refusal, at: performance.now() });
  }

  recent(): Refusals {
    const now = performance.now();
    for (const [id, { at }] of this.refusals) if (now - at > REMEMBERED_MS) this.refusals.delete(id);
    return new Map([...this.refusals].map(([id, { refusal }]) => [id, refusal]));
  }
}
