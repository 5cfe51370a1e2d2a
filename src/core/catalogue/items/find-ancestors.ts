import type { Connection } from '../../platform/database/index.ts'
import type { MediaItem } from '../item/media-item.ts'
import { selectParents } from '../queries/select-items.ts'

/** The ancestors of items, the nearest first: of an episode its season and its series. Top-level items have no entry. */
export async function findAncestors(
  { db }: { db: Connection },
  items: readonly Pick<MediaItem, 'id' | 'parentId'>[],
): Promise<Map<string, string[]>> {
  const parentIds = [...new Set(items.flatMap(({ parentId }) => (parentId === null ? [] : [parentId])))]
  if (parentIds.length === 0) return new Map()
  const grandparents = await selectParents(db, parentIds)
  return new Map(
    items.flatMap(({ id, parentId }): [string, string[]][] => {
      if (parentId === null) return []
      const above = grandparents.get(parentId)
      return [[id, above === undefined ? [parentId] : [parentId, above]]]
    }),
  )
}
