import { isDeepStrictEqual } from 'node:util'
import { encodePoster, setEditedPoster } from '../artwork/index.ts'
import { enqueueItemEvents, catalogueErrors, getItem } from '../catalogue/index.ts'
import { sortTitle } from '../naming/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Images } from '../platform/images/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { parseFieldChanges, type FieldChange } from './edit-fields.ts'
import { lockEditableItem, updateEdits, type EditableItem, type ItemEdits } from './queries/edits.ts'

/**
 * Stores edits of a person. An edit has priority over tags, NFO files and providers in every later scan, match and refresh. Clearing keeps
 * it, because it does not come from a provider. Null removes the edit. A value that is already shown is no edit, so that a client may send
 * a whole form.
 * @param input.poster the bytes of a picture, null to remove it, undefined to keep it
 * @throws AppError `invalid_request` with `details.field`, `media_item_not_found`, `invalid_poster`, `too_many_pictures`
 */
export async function editItem(
  { db, clock, images }: { db: Database; clock: Clock; images: Pick<Images, 'draw' | 'measure'> },
  input: { itemId: string; part: Readonly<Record<string, unknown>>; poster?: Uint8Array | null },
): Promise<void> {
  const changes = parseFieldChanges(input.part)
  const { id, libraryId, type } = await getItem({ db }, input.itemId)
  const poster = input.poster && (await encodePoster(images, { type, bytes: input.poster }))
  await db.transaction(async (connection) => {
    const item = await lockEditableItem(connection, id)
    if (item === undefined) throw catalogueErrors.media_item_not_found()
    const edits = withDerived(
      item,
      changes.reduce((newEdits, change) => withChange(item, newEdits, change), item.edits ?? {}),
    )
    const now = clock.now()
    const hasNewPoster = poster !== undefined && (await setEditedPoster(connection, { itemId: id, poster, now }))
    const isEdited = !isDeepStrictEqual(edits, item.edits ?? {})
    if (!isEdited && !hasNewPoster) return
    if (isEdited) await updateEdits(connection, { id, edits: Object.keys(edits).length === 0 ? null : edits, now })
    await enqueueItemEvents(connection, { change: 'metadata_updated', libraryId, itemIds: [id] }, now)
  })
}

function withChange(item: EditableItem, edits: ItemEdits, { key, place, value }: FieldChange): ItemEdits {
  if (place === 'column') return changed(edits, key, { shown: shownColumn(item, key), value })
  const { metadata: before = {}, ...others } = edits
  const metadata = changed(before, key, { shown: item.metadata[key], value })
  return Object.keys(metadata).length === 0 ? others : { ...others, metadata }
}

function changed(
  newEdits: Readonly<Record<string, unknown>>,
  key: string,
  { shown, value }: { shown: unknown; value: unknown },
): Record<string, unknown> {
  const { [key]: before, ...others } = newEdits
  if (value === null) return others
  const isNew = before !== undefined || !isDeepStrictEqual(value, shown ?? blankOf(value))
  return isNew ? { ...others, [key]: value } : { ...newEdits }
}

/** A form shows an absent value as an empty field. */
function blankOf(value: unknown): unknown {
  return Array.isArray(value) ? [] : ''
}

function shownColumn(item: EditableItem, key: string): unknown {
  return { name: item.name, sort_title: item.sortTitle, year: item.year, episode_title: item.episodeTitle }[key]
}

/** Fields derived from an edited name: the sort title, unless edited itself, and of an episode its title. Seasons keep their order. */
function withDerived({ type, edits }: EditableItem, newEdits: ItemEdits): ItemEdits {
  if (newEdits.name === edits?.name) return newEdits
  const { sort_title: sorted, episode_title: title, ...others } = newEdits
  const wasDerived = edits?.name !== undefined && edits.sort_title === sortTitle(edits.name)
  const isOwn = sorted !== undefined && !(wasDerived && sorted === edits.sort_title)
  const isOwnTitle = title !== undefined && title !== edits?.name
  const { name } = others
  return {
    ...others,
    ...(isOwn ? { sort_title: sorted } : name !== undefined && type !== 'season' && { sort_title: sortTitle(name) }),
    ...(isOwnTitle ? { episode_title: title } : name !== undefined && type === 'episode' && { episode_title: name }),
  }
}
