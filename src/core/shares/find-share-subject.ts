import { z } from 'zod'
import { getCollectionWithItems } from '../collections/index.ts'
import { findAlbumsNamed } from '../music/index.ts'
import { getPhotoAlbum } from '../photos/index.ts'
import { isRowId, type Connection } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { shareErrors } from './errors.ts'
import { selectShareableItemIds, selectTrackIds } from './queries/shared-items.ts'
import type { ShareKind } from './share.ts'

/**
 * Exactly one of the ids is given. An album of photos has the id `album-2024-05-06`. An album of music may be given as `title` or
 * `artist/title`.
 */
export type ShareSubjectInput = {
  itemId?: string | undefined
  albumId?: string | undefined
  collectionId?: string | undefined
}

/** What a link shows: the kind, the id of the item, album or collection, and the items. */
export type ShareSubject = { kind: ShareKind; subjectId: string; itemIds: readonly string[] }

const MAX_ITEMS = 1000

const PHOTO_ALBUM = /^album-\d{4}-\d{2}-\d{2}$/

/** An unknown album or collection is answered like an unknown item. */
const OneId = z.union([
  z.strictObject({ itemId: z.string() }),
  z.strictObject({ albumId: z.string() }),
  z.strictObject({ collectionId: z.string() }),
])

/**
 * Finds what a link shows. Only items that are visible over this connection are found; an album or a collection has its present members.
 * @throws AppError `share_subject_not_found`, `share_subject_ambiguous`, `not_shareable`
 */
export async function findShareSubject(services: { db: Connection }, input: ShareSubjectInput): Promise<ShareSubject> {
  const given = Object.fromEntries(Object.entries(input).filter(([, id]) => id !== undefined))
  const parsed = OneId.safeParse(given)
  if (!parsed.success) {
    throw shareErrors.not_shareable({ message: 'exactly one of item_id, album_id and collection_id is needed' })
  }
  const subject = await membersOf(services, parsed.data)
  if (subject.itemIds.length > MAX_ITEMS) throw shareErrors.not_shareable({ details: { limit: MAX_ITEMS } })
  const itemIds = await selectShareableItemIds(services.db, subject.itemIds)
  if (itemIds.length > 0) return { ...subject, itemIds }
  throw subject.itemIds.length === 0 ? shareErrors.share_subject_not_found() : shareErrors.not_shareable()
}

async function membersOf(services: { db: Connection }, id: z.infer<typeof OneId>): Promise<ShareSubject> {
  if ('collectionId' in id) return membersOfCollection(services, id.collectionId)
  if ('albumId' in id) return membersOfAlbum(services, id.albumId)
  const known = isRowId(id.itemId) ? await selectShareableItemIds(services.db, [id.itemId], { anyType: true }) : []
  if (known.length === 0) throw shareErrors.share_subject_not_found()
  return { kind: 'item', subjectId: known[0] ?? '', itemIds: known }
}

async function membersOfCollection(services: { db: Connection }, id: string): Promise<ShareSubject> {
  const { collection, itemIds, total } = await orNotFound(() =>
    getCollectionWithItems(services, { id, limit: MAX_ITEMS }),
  )
  if (total > MAX_ITEMS) throw shareErrors.not_shareable({ details: { limit: MAX_ITEMS } })
  return { kind: 'collection', subjectId: collection.id, itemIds }
}

async function membersOfAlbum(services: { db: Connection }, id: string): Promise<ShareSubject> {
  if (PHOTO_ALBUM.test(id)) {
    const { photos } = await orNotFound(() => getPhotoAlbum(services, { id }))
    return { kind: 'photo_album', subjectId: id, itemIds: photos.map((photo) => photo.id) }
  }
  const albumId = isRowId(id) ? id.toLowerCase() : await albumNamed(services, id)
  const itemIds = await selectTrackIds(services.db, albumId)
  if (itemIds.length === 0) throw shareErrors.share_subject_not_found()
  return { kind: 'album', subjectId: albumId, itemIds }
}

async function albumNamed(services: { db: Connection }, name: string): Promise<string> {
  const [album, ...others] = await findAlbumsNamed(services, name)
  if (album === undefined) throw shareErrors.share_subject_not_found()
  if (others.length === 0) return album.id
  const albums = [album, ...others].map(({ id, artist, title }) => ({ id, name: `${artist}/${title}` }))
  throw shareErrors.share_subject_ambiguous({
    hint: `give one of: ${albums.map((one) => `${one.name} (${one.id})`).join(', ')}`,
    details: { albums },
  })
}

async function orNotFound<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') throw shareErrors.share_subject_not_found()
    throw error
  }
}
