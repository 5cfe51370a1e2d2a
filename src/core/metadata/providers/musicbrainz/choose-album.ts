import type { WantedAlbum } from '../../music-facts.ts'
import { titleKey } from '../../title-key.ts'
import type { MusicReleaseGroup } from './replies.ts'

/** Words for editions, which people and shops add in brackets to the title of a reissued album. */
const EDITION = /\b(?:deluxe|edition|remaster(?:ed)?|expanded|bonus|anniversary|explicit|reissue|version)\b/i

/** A title without an edition in brackets: `OK Computer (Deluxe Edition)` is a release of `OK Computer`. Pure. */
export function removeEdition(title: string): string {
  const start = Math.max(title.lastIndexOf('('), title.lastIndexOf('['))
  if (start <= 0 || !/[)\]]\s*$/.test(title) || !EDITION.test(title.slice(start))) return title
  return title.slice(0, start).trim() || title
}

/**
 * The unambiguous album: the same title and artist; among several an album before a single or a secondary type such as a bootleg, then
 * the tagged year. Undefined if several remain: a band may name two albums after itself. Pure.
 */
export function chooseAlbum(groups: readonly MusicReleaseGroup[], wanted: WantedAlbum): MusicReleaseGroup | undefined {
  const titles = new Set([titleKey(wanted.title), titleKey(removeEdition(wanted.title))])
  const fitting = groups.filter((group) => titles.has(titleKey(group.title)) && isBy(group, wanted.artist))
  const [best] = fitting.toSorted((one, other) => rank(one) - rank(other))
  if (best === undefined) return undefined
  const equals = fitting.filter((group) => rank(group) === rank(best))
  if (equals.length === 1) return best
  const ofYear = equals.filter((group) => wanted.year !== null && yearOfGroup(group) === wanted.year)
  return ofYear.length === 1 ? ofYear[0] : undefined
}

function isBy({ 'artist-credit': credit }: MusicReleaseGroup, artist: string): boolean {
  const names = credit.flatMap((one) => [one.name ?? one.artist.name, one.artist.name])
  const joined = credit.map((one) => one.name ?? one.artist.name).join(' ')
  const key = titleKey(artist)
  return [...names, joined].some((name) => titleKey(name) === key)
}

/** Studio albums before other albums, those before everything else. */
function rank({ 'primary-type': type, 'secondary-types': others }: MusicReleaseGroup): number {
  if (type !== 'Album') return 2
  return others.length === 0 ? 0 : 1
}

function yearOfGroup(group: MusicReleaseGroup): number {
  return Number(group['first-release-date']?.slice(0, 4) ?? 0)
}
