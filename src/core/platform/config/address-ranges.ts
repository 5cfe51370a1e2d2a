import { BlockList, isIP } from 'node:net'

/**
 * Parses a comma-separated list of IP addresses and CIDR ranges. Spaces around entries are ignored; an empty text is an empty list.
 * @returns the ranges, and the entries that are neither an address nor a range
 */
export function parseAddressRanges(text: string): { ranges: BlockList; wrong: string[] } {
  const ranges = new BlockList()
  const entries = text.split(',').map((entry) => entry.trim())
  const wrong = entries.filter((entry) => entry !== '' && !addRange(ranges, entry))
  return { ranges, wrong }
}

function addRange(ranges: BlockList, entry: string): boolean {
  const [, address = '', bits] = /^([\da-f.:]{2,45})(?:\/(\d{1,3}))?$/i.exec(entry) ?? []
  const version = isIP(address)
  const longest = version === 6 ? 128 : 32
  if (version === 0 || Number(bits ?? longest) > longest) return false
  ranges.addSubnet(address, Number(bits ?? longest), version === 6 ? 'ipv6' : 'ipv4')
  return true
}

/** Describes the invalid entries of a list of addresses and ranges, as half a sentence. Undefined for a valid list. */
export function addressRangesProblem(text: string): string | undefined {
  const { wrong } = parseAddressRanges(text)
  if (wrong.length === 0) return undefined
  return `must be IP addresses and CIDR ranges; these are neither: ${wrong.join(', ')}`
}
