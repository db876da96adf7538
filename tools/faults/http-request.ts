const PATIENCE_MS = 30_000;

/** `status` is null where there was no answer in time, as when the API was killed. */
export interface HttpAnswer {
  status: number | null;
  body: Record<string, unknown>;
}

export async function request(
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  token: string,
  body: object = {},
): Promise<HttpAnswer> {
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: method === 'GET' ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch {
    return { status: null, body: {} };
  }
}

export const succeeded = ({ status }: HttpAnswer) => status !== null && status < 300;
