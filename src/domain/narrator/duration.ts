const UNITS: readonly [seconds: number, name: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** A duration as text: its two largest units, such as `3 min 12 s`. Below ten seconds, such as `4.0 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  let left = Math.floor(seconds);
  const parts: string[] = [];
  for (const [size, name] of UNITS) {
    const amount = Math.floor(left / size);
    left -= amount * size;
    if (amount > 0) parts.push(`${amount} ${name}`);
    else if (parts.length > 0) break;
  }
  return parts.slice(0, 2).join(' ');
}
