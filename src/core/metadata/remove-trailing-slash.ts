/** An address without a trailing slash, so that paths can be appended. */
export function removeTrailingSlash(address: string): string {
  return address.replace(/\/+$/, '')
}
