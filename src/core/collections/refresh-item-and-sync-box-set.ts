import { refreshItem, type RefreshedItem } from '../metadata/index.ts'
import { getItem } from '../catalogue/index.ts'
import { syncBoxSets } from './sync-box-sets.ts'

type Dependencies = Parameters<typeof refreshItem>[0] & Parameters<typeof syncBoxSets>[0]

/**
 * Refreshes the metadata of one item, and adds a film to the collection of its series immediately.
 * @throws the errors of `refreshItem` of the metadata
 */
export async function refreshItemAndSyncBoxSet(
  services: Dependencies,
  input: { itemId: string },
  signal: AbortSignal,
): Promise<RefreshedItem> {
  const refreshed = await refreshItem(services, input, signal)
  const { libraryId } = await getItem(services, refreshed.itemId)
  await syncBoxSets(services, libraryId)
  return refreshed
}
