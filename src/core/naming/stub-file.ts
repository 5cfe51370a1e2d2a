/** What a stub stands for: a disc on a shelf, a tape, a recording. */
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
 * Whether a file is a stub (`Film (2001).bluray.disc`), a text file for something that is not on the disk, and for what; the
 * type is null where the name does not say it. Undefined for other files. Source: Jellyfin's StubTests.
 */
export function parseStub(fileName: string): { type: StubType | null } | undefined {
  if (!/\.disc$/i.test(fileName)) return undefined
  const stem = fileName.slice(0, -'.disc'.length)
  return { type: TYPES.get(stem.slice(stem.lastIndexOf('.') + 1).toLowerCase()) ?? null }
}
