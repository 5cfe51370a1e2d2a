import { hash } from 'node:crypto'
import { ARTWORK_KINDS, type ArtworkKind } from './artwork-kind.ts'

/** Identifies a picture: the owner, the kind, and the version at the time of signing. */
export type ArtworkId = { ownerId: string; kind: ArtworkKind; version: string }

const FORM = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})-([a-z]{4,8})-([\da-f]{10})$/

/**
 * The id of a picture in the API. No database row is needed, because owner and kind are sufficient to find the source. The version changes
 * with the picture, so that a browser cache never shows an outdated picture.
 * @param stamp changes with the picture
 */
export function formatArtworkId({
  ownerId,
  kind,
  stamp,
}: {
  ownerId: string
  kind: ArtworkKind
  stamp: string
}): string {
  return `${ownerId}-${kind}-${artworkVersion(stamp)}`
}

/** Ten hexadecimal digits of the hash of a stamp. */
export function artworkVersion(stamp: string): string {
  return hash('sha256', stamp).slice(0, 10)
}

/** Parses the id of a picture; undefined for an invalid id. */
export function parseArtworkId(id: string): ArtworkId | undefined {
  const [, ownerId = '', word, version = ''] = FORM.exec(id) ?? []
  const kind = ARTWORK_KINDS.find((known) => known === word)
  return kind === undefined ? undefined : { ownerId, kind, version }
}
