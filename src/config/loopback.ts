const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Whether the host of an address is this machine. @param host without a port. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host);
