import { type FailureKind, LiveKitFailure } from './once-rpc.js';

/**
 * Sends a request to LiveKit through the SDK. @returns null if it succeeded.
 *
 * Any error other than `LiveKitFailure` concerns the answer: requests are plain data, which the SDK can
 * always serialize.
 */
export async function attempt(ask: () => Promise<unknown>): Promise<FailureKind | null> {
  try {
    await ask();
    return null;
  } catch (error) {
    if (error instanceof LiveKitFailure) return error.failure;
    return { kind: 'broken', reason: 'carrier_broken_answer' };
  }
}
