import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { type AgentSettingField } from './agent-setting-field.js';
import { CarrierRegistry } from './carrier-registry.js';
import { type CarrierSettings } from './carrier.js';
import { missingForCarrier } from './configured.js';
import { CARRIER_NAMES, CARRIERS } from './registry.js';

/** Checks the carrier that an agent names, and the agent's settings for it. */
@Injectable()
export class AgentCarrierService {
  constructor(
    private readonly carriers: CarrierRegistry,
    private readonly config: Config,
  ) {}

  /**
   * Returns why an agent cannot use a carrier with these settings, as a message that names the field; null if
   * it can.
   *
   * @param name null: the deployment's default carrier.
   * @param hasAccount whether the agent has a carrier account of its team.
   */
  problemWith(name: string | null, settings: CarrierSettings, hasAccount: boolean): string | null {
    const carrier = this.carriers.get(name ?? this.carriers.defaultName);
    if (carrier?.hasOwnAccount === false && !hasAccount) {
      return `carrierAccountId is required, because the deployment has no account at the carrier ${carrier.name}`;
    }
    if (carrier) return carrier.checkSettings?.(settings) ?? null;
    const known = CARRIER_NAMES.find((candidate) => candidate === name);
    const missing = known === undefined ? [] : missingForCarrier(known, this.config);
    return `carrier is not configured here: ${name} needs ${missing.join(', ') || 'another version'}`;
  }
}

/** An agent's settings at a carrier, as forms ask for them; null: forms ask for JSON. */
export function agentSettingsOf(carrier: string): readonly AgentSettingField[] | null {
  const definition: { agentSettings?: readonly AgentSettingField[] } | undefined = CARRIERS.find(
    ({ name }) => name === carrier,
  );
  return definition?.agentSettings ?? null;
}
