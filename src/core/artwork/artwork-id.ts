import { hash } from 'node:crypto'
import { ARTWORK_KINDS, type ArtworkKind } from './artwork-kind.ts'

/** Which picture is meant: whose, of which kind, and by which stamp it was known when its address was made. */
export type ArtworkId = { ownerId: string; kind: ArtworkKind; version: string }

const FORM = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})-([a-z]{4,8})-([\da-f]{10})$/

/**
 * The id of a picture on the wire. It needs no row: whose it is and of which kind say where it is found. The version changes with the
 * picture, so that an address never shows an old one from a cache.
 * @param stamp changes when the picture does
 */
export function artworkIdOf({ ownerId, kind, stamp }: { ownerId: string; kind: ArtworkKind; stamp: string }): string {
  return `${ownerId}-${kind}-${versionOf(stamp)}`
}

/** Ten hexadecimal digits that stand for a stamp. */
export function versionOf(stamp: string): string {
  return hash('sha256', stamp).slice(0, 10)
}

/** What an id of the wire means; undefined for anything that is none. */
export function parseArtworkId(id: string): ArtworkId | undefined {
  const [, ownerId = '', word, version = ''] = FORM.exec(id) ?? []
  const kind = ARTWORK_KINDS.find((known) => known === word)
  return kind === undefined ? undefined : { ownerId, kind, version }
}
