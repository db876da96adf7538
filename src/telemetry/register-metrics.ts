import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Metrics } from './metrics.js';

/** The registers that the operator imported. `ScrapeService` sets these gauges. */
@Injectable()
export class RegisterMetrics {
  readonly ageSeconds;
  readonly numbers;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.ageSeconds = new Gauge({
      name: 'outdial_register_age_seconds',
      help: 'Time since the list of a register was made, of its version in force.',
      labelNames: ['register'] as const,
      registers,
    });
    this.numbers = new Gauge({
      name: 'outdial_register_numbers',
      help: 'Numbers on a register, of its version in force.',
      labelNames: ['register'] as const,
      registers,
    });
  }
}
