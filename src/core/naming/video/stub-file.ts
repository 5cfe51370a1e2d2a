/** The medium that a stub represents: a disc, a tape, a recording. */
type StubType = 'bluray' | 'dvd' | 'hddvd' | 'vhs' | 'tv'

const TYPES: ReadonlyMap<string, StubType> = new Map([
  ['dvd', 'dvd'],
  ['hddvd', 'hddvd'],
  ['bluray', 'bluray'],
  ['brrip', 'bluray'],
  ['bd25', 'bluray'],
  ['bd50', 'bluray'],
  ['vhs', 'vhs'],
  ['hdtv', 'tv'],
  ['pdtv', 'tv'],
  ['dsr', 'tv'],
])

/**
 * Detects a stub (`Film (2001).bluray.disc`), a text file that represents an offline medium; the type is null if the name does not
 * contain it. Undefined for other files. Source: Jellyfin's StubTests.
 */
export function parseStub(fileName: string): { type: StubType | null } | undefined {
  if (!/\.disc$/i.test(fileName)) return undefined
  const stem = fileName.slice(0, -'.disc'.length)
  return { type: TYPES.get(stem.slice(stem.lastIndexOf('.') + 1).toLowerCase()) ?? null }
}
