import type { AccessRule } from '../../../core/access/index.ts'
import type { StreamLimits } from '../../../core/playback-limits/index.ts'
import type { LibraryNames } from '../load-library-names.ts'
import { replaceControlCharacters } from './table.ts'

/** Of more libraries the number is shown. */
const MAX_NAMED = 5

/** Everything that limits an account or a profile. */
export type ShownLimits = {
  access: AccessRule
  libraryNames: LibraryNames
  streams: StreamLimits
  /** The active schedules, as texts. */
  hours: readonly string[]
  mayDownload: boolean
}

/** `everything`, or for example `2 libraries (Cartoons, Music), up to 12, unrated hidden`. */
export function describeAccess(
  { libraryIds, maxAge, allowsUnrated, blockedTags, allowedTags }: AccessRule,
  libraryNames: LibraryNames,
): string {
  const parts = [
    libraryIds === null ? undefined : describeLibraries(libraryIds, libraryNames),
    maxAge === null ? undefined : `up to ${maxAge}, unrated ${allowsUnrated ? 'shown' : 'hidden'}`,
    blockedTags.length === 0 ? undefined : `without ${blockedTags.join(', ')}`,
    allowedTags.length === 0 ? undefined : `only ${allowedTags.flat().join(' or ')}`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? 'everything' : parts.join(', ')
}

function describeLibraries(ids: readonly string[], libraryNames: LibraryNames): string {
  if (ids.length === 0) return 'no library'
  const names = ids.flatMap((id) => libraryNames.get(id) ?? [])
  const more = ids.length - Math.min(names.length, MAX_NAMED)
  const shown = [...names.slice(0, MAX_NAMED).toSorted(), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return `${ids.length} ${ids.length === 1 ? 'library' : 'libraries'} (${replaceControlCharacters(shown)})`
}

/** For example `up to 12, unrated hidden, at most 2 streams and 8000 kbit/s, plays mon-fri 07:00-20:00, no downloads`. */
export function describeLimits({ access, libraryNames, streams, hours, mayDownload }: ShownLimits): string {
  const { maxStreams, maxKbps } = streams
  const amounts = [
    maxStreams === null ? undefined : `${maxStreams} ${maxStreams === 1 ? 'stream' : 'streams'}`,
    maxKbps === null ? undefined : `${maxKbps} kbit/s`,
  ].filter((part) => part !== undefined)
  return [
    describeAccess(access, libraryNames),
    amounts.length === 0 ? undefined : `at most ${amounts.join(' and ')}`,
    hours.length === 0 ? undefined : `plays only ${hours.join(' and ')}`,
    mayDownload ? undefined : 'no downloads',
  ]
    .filter((part) => part !== undefined)
    .join(', ')
}
