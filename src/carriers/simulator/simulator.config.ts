import { Expose } from 'class-transformer';
import { IsOptional, IsString, IsUrl } from 'class-validator';
import { Secret } from '../../config/secret.decorator.js';
import { HTTP_URL, HTTP_URL_MESSAGE } from '../../config/urls.js';
import { WholeNumber } from '../../config/whole-number.decorator.js';

const HOUR_MS = 3_600_000;

/** The simulator's environment variables. */
export class SimulatorConfig {
  /**
   * JSON list of rules for the simulated carrier; unset: test destinations have fixed outcomes, other calls
   * complete.
   */
  @Expose({ name: 'SIMULATOR_RULES' })
  @IsOptional()
  @IsString()
  simulatorRules?: string;

  /** File to which the simulated carrier appends every dial that it receives. */
  @Expose({ name: 'SIMULATOR_DIAL_LOG' })
  @IsOptional()
  @IsString()
  simulatorDialLog?: string;

  /**
   * Milliseconds from a simulated dial to its acceptance. The next two variables count from the acceptance to
   * the answer, and from the answer to the end.
   */
  @Expose({ name: 'SIMULATOR_ACCEPT_MS' })
  @IsOptional()
  @WholeNumber(0, HOUR_MS)
  simulatorAcceptMs?: number;

  @Expose({ name: 'SIMULATOR_RING_MS' })
  @IsOptional()
  @WholeNumber(0, HOUR_MS)
  simulatorRingMs?: number;

  @Expose({ name: 'SIMULATOR_TALK_MS' })
  @IsOptional()
  @WholeNumber(0, HOUR_MS)
  simulatorTalkMs?: number;

  /** Calls per second, from all workers together; unset: no limit. */
  @Expose({ name: 'SIMULATOR_CALLS_PER_SECOND' })
  @IsOptional()
  @WholeNumber(1, 1_000)
  simulatorCallsPerSecond?: number;

  /** The URL of the simulator's own process; unset: the simulator is part of the worker. */
  @Expose({ name: 'SIMULATOR_URL' })
  @IsOptional()
  @IsUrl(HTTP_URL, { message: HTTP_URL_MESSAGE })
  simulatorUrl?: string;

  /** Bearer token that the simulator's process sends with its reports; without it no report is accepted. */
  @Expose({ name: 'SIMULATOR_CALLBACK_TOKEN' })
  @IsOptional()
  @Secret()
  simulatorCallbackToken?: string;
}
