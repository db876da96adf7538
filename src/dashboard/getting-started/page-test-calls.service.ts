import { Injectable } from '@nestjs/common';
import { TestCallsService } from '../../calls/trigger/test-calls.service.js';
import { invalid, problemOf } from '../../http/app-error.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';

/** Places test calls from pages: a refusal belongs to the field of the number. */
@Injectable()
export class PageTestCalls {
  constructor(private readonly testCalls: TestCallsService) {}

  /**
   * @param phoneNumber as a person types it.
   * @returns the id of the call.
   * @throws AppError `INVALID_REQUEST` with the refusal of the call.
   */
  async place(teamId: string, agentId: string, phoneNumber: string, trace: RequestTrace): Promise<string> {
    const result = await this.testCalls.place(teamId, agentId, phoneNumber, trace);
    if (result.kind === 'accepted') return result.callRequestId;
    if (result.kind === 'replayed') throw new Error('A test call has no idempotency key');
    const { message, problems } = result;
    // A rule refuses the number, whatever its message begins with.
    throw invalid(...(problems ?? [problemOf(message, 'phoneNumber')]));
  }
}
