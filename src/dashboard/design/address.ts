/** An address on our own pages; parameters that are null or empty are left out. */
export function address(path: string, parameters: Record<string, string | null | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
