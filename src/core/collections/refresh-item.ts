import { refreshItem, type RefreshedItem } from '../metadata/index.ts'
import { getItem } from '../catalogue/index.ts'
import { gatherBoxSets } from './gather-box-sets.ts'

type Dependencies = Parameters<typeof refreshItem>[0] & Parameters<typeof gatherBoxSets>[0]

/**
 * Asks the providers about one item again, and makes a film join the others of its box set immediately.
 * @throws what `refreshItem` of the metadata throws
 */
export async function refreshItemInSets(
  services: Dependencies,
  input: { itemId: string },
  signal: AbortSignal,
): Promise<RefreshedItem> {
  const refreshed = await refreshItem(services, input, signal)
  const { libraryId } = await getItem(services, refreshed.itemId)
  await gatherBoxSets(services, libraryId)
  return refreshed
}
