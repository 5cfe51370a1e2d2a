/** An address that paths can be put behind. */
export function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '')
}
