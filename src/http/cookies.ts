import { type IncomingMessage } from 'node:http';

/** The values of every cookie of that name. */
export function cookiesOf(request: IncomingMessage, name: string): string[] {
  return (request.headers.cookie ?? '').split(';').flatMap((pair) => {
    const [own, value = ''] = pair.trim().split('=');
    return own === name ? [value] : [];
  });
}

/** A cookie that no script reads. @param seconds that the browser keeps it; 0 removes it. */
export function cookieText(options: {
  name: string;
  value: string;
  path: string;
  seconds: number;
  sameSite: 'Lax' | 'Strict';
  secure: boolean;
}): string {
  const { name, value, path, seconds, sameSite, secure } = options;
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
}
