import { type FailureKind, LiveKitFailure } from './once-rpc.js';

/**
 * Asks LiveKit through the SDK. @returns null where it did as asked.
 *
 * Whatever the SDK itself cannot make sense of is an answer that says nothing: its requests are plain data, which it
 * always can write.
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
