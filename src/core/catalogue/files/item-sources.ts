import type { Connection } from '../../platform/database/index.ts'
import type { MediaItemDetail } from '../items/get-item.ts'
import { selectItemParts, selectItemVersions } from '../queries/parts.ts'
import { selectStreamsByItem } from '../queries/select-items.ts'

/** One way to play an item: its first file and the files that follow. */
export type ItemSource = {
  /** The item itself, or one of its versions. */
  item: MediaItemDetail
  /** Distinguishes the version from the others (`4K`); null for the item itself. */
  label: string | null
  parts: readonly MediaItemDetail[]
}

/**
 * The further files of an item (`cd2`), in playing order. Includes only files that are present and of known duration; the duration of the
 * item is the sum of these files.
 */
export async function listItemParts({ db }: { db: Connection }, itemId: string): Promise<MediaItemDetail[]> {
  const parts = await selectItemParts(db, [itemId])
  return withStreams(
    db,
    parts.map(({ item }) => item),
  )
}

/** The ways to play an item: the item itself, then each of its versions whose file is present. */
export async function listItemSources({ db }: { db: Connection }, item: MediaItemDetail): Promise<ItemSource[]> {
  const versions = await selectItemVersions(db, item.id)
  const ids = versions.map((version) => version.item.id)
  const parts = await selectItemParts(db, [item.id, ...ids])
  const details = await withStreams(
    db,
    [...versions, ...parts].map((row) => row.item),
  )
  const detailOf = new Map(details.map((detail) => [detail.id, detail]))
  const sourceOf = (source: MediaItemDetail, label: string | null): ItemSource => ({
    item: source,
    label,
    parts: parts.flatMap(({ ownerId, item: part }) => (ownerId === source.id ? (detailOf.get(part.id) ?? []) : [])),
  })
  return [
    sourceOf(item, null),
    ...versions.flatMap(({ item: { id }, label }) => {
      const version = detailOf.get(id)
      return version === undefined ? [] : [sourceOf(version, label)]
    }),
  ]
}

async function withStreams(
  db: Connection,
  items: readonly Omit<MediaItemDetail, 'streams'>[],
): Promise<MediaItemDetail[]> {
  if (items.length === 0) return []
  const ids = items.map(({ id }) => id)
  const streams = Map.groupBy(await selectStreamsByItem(db, ids), ({ mediaItemId }) => mediaItemId)
  return items.map((item) => Object.assign(item, { streams: streams.get(item.id) ?? [] }))
}
