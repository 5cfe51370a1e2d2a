import { isRowId, type Connection } from '../../platform/database/index.ts'
import { catalogueErrors } from '../errors.ts'
import { MERGEABLE_TYPES } from '../queries/duplicates.ts'
import { reapplyManualMerges, lockForMerge, setMergedInto } from '../queries/merges.ts'

/** Maximum number of items that a single call merges. */
const MAX_MERGED = 100

export type DuplicateMerge = { keptId: string; ids: readonly string[] }

/**
 * Makes items versions of another one permanently: scans do not undo it. Rows and files stay. Within a transaction; afterwards the caller
 * transfers the user data of the items.
 * @returns the library, and how many versions and extras of the merged items have another owner now
 * @throws AppError `media_item_not_found`, `invalid_merge`
 */
export async function mergeItems(
  connection: Connection,
  { keptId, ids, now }: DuplicateMerge & { now: Date },
): Promise<{ libraryId: string; movedCount: number }> {
  if (ids.length === 0 || ids.length > MAX_MERGED) {
    throw invalidMerge('duplicate_ids', `Name 1 to ${MAX_MERGED} items that are to become versions.`)
  }
  if (ids.includes(keptId)) throw invalidMerge('duplicate_ids', 'An item cannot become a version of itself.')
  if (new Set(ids).size < ids.length) throw invalidMerge('duplicate_ids', 'An item is named twice.')
  const wanted = [keptId, ...ids]
  const items = wanted.every(isRowId) ? await lockForMerge(connection, wanted) : []
  const kept = items.find(({ id }) => id === keptId.toLowerCase())
  if (kept === undefined || items.length < wanted.length) throw catalogueErrors.media_item_not_found()
  for (const { id, libraryId, type, isListed } of items) {
    const field = id === kept.id ? 'primary_id' : 'duplicate_ids'
    if (!MERGEABLE_TYPES.some((mergeable) => mergeable === type)) {
      throw invalidMerge(field, `Films, videos and episodes can be merged; ${id} is of type ${type}.`)
    }
    if (type !== kept.type)
      throw invalidMerge(field, `${id} is of type ${type}, the item that is kept of type ${kept.type}.`)
    if (libraryId !== kept.libraryId)
      throw invalidMerge(field, `${id} is in another library than the item that is kept.`)
    if (!isListed) throw invalidMerge(field, `${id} belongs to another item already, as its version, part or extra.`)
  }
  await setMergedInto(connection, { keptId: kept.id, ids, now })
  return { libraryId: kept.libraryId, movedCount: await reapplyManualMerges(connection, kept.libraryId) }
}

/** Applies manual merges again after a scan has written what the file names say. Within a transaction. */
export async function reapplyMerges(connection: Connection, { libraryId }: { libraryId: string }): Promise<void> {
  await reapplyManualMerges(connection, libraryId)
}

function invalidMerge(field: string, message: string) {
  return catalogueErrors.invalid_merge({ message, details: { field } })
}
