const ADDRESS = /^ldaps?:\/\/(?:[A-Za-z0-9.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?\/?$/i

/** Describes what is wrong with the address of a directory, as half a sentence. Undefined for a valid address. */
export function directoryAddressProblem(text: string): string | undefined {
  if (ADDRESS.test(text) && URL.canParse(text)) return undefined
  return 'must be an ldap or ldaps address without a path, for example ldaps://directory.example.org'
}
