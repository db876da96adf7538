/**
 * What people mean by abbreviations that are no zone names of IANA, or that IANA gives to zones without
 * daylight time. By abbreviation in lower case.
 */
const LIKELY: Readonly<Record<string, string>> = {
  est: 'America/New_York (with daylight time) or America/Panama (without)',
  mst: 'America/Denver (with daylight time) or America/Phoenix (without)',
  hst: 'Pacific/Honolulu, or America/Adak (with daylight time)',
  edt: 'America/New_York',
  cst: 'America/Chicago, Asia/Shanghai or America/Havana',
  cdt: 'America/Chicago',
  mdt: 'America/Denver',
  pst: 'America/Los_Angeles or Asia/Manila',
  pdt: 'America/Los_Angeles',
  akst: 'America/Anchorage',
  akdt: 'America/Anchorage',
  ast: 'America/Halifax, America/Puerto_Rico or Asia/Riyadh',
  adt: 'America/Halifax',
  nst: 'America/St_Johns',
  ndt: 'America/St_Johns',
  bst: 'Europe/London or Asia/Dhaka',
  ist: 'Asia/Kolkata, Europe/Dublin or Asia/Jerusalem',
  west: 'Europe/Lisbon',
  cest: 'Europe/Berlin or Europe/Paris',
  eest: 'Europe/Athens or Europe/Helsinki',
  msk: 'Europe/Moscow',
  sst: 'Pacific/Pago_Pago or Asia/Singapore',
  ect: 'America/Guayaquil or Europe/Paris',
  art: 'America/Argentina/Buenos_Aires',
  brt: 'America/Sao_Paulo',
  clt: 'America/Santiago',
  cat: 'Africa/Maputo',
  eat: 'Africa/Nairobi',
  sast: 'Africa/Johannesburg',
  pkt: 'Asia/Karachi',
  jst: 'Asia/Tokyo',
  aest: 'Australia/Sydney or Australia/Brisbane',
  aedt: 'Australia/Sydney',
  acst: 'Australia/Adelaide or Australia/Darwin',
  awst: 'Australia/Perth',
  nzst: 'Pacific/Auckland',
  nzdt: 'Pacific/Auckland',
};

/** Names for a message, with `or` between them; undefined for a text that is no common abbreviation. */
export function likelyZones(abbreviation: string): string | undefined {
  const key = abbreviation.toLowerCase();
  return Object.hasOwn(LIKELY, key) ? LIKELY[key] : undefined;
}
