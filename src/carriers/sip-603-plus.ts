/**
 * Whether the text of a SIP 603 says that a network blocked the call by its analytics, which is known as 603+
 * (ATIS-1000099). The status line of such an answer is `603 Network Blocked`, and its header is
 * `Reason: SIP;cause=603;text="v=analytics1;…"`. A called person who declines causes neither.
 */
export function isNetworkBlock(text: string): boolean {
  return /\bnetwork blocked\b|\bv=analytics\d|^603\+/i.test(text);
}
