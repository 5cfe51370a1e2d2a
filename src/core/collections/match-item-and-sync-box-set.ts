import { getItem } from '../catalogue/index.ts'
import { applyMatch, type AppliedMatch } from '../metadata/index.ts'
import { syncBoxSets } from './sync-box-sets.ts'

type Dependencies = Parameters<typeof applyMatch>[0] & Parameters<typeof syncBoxSets>[0]

/**
 * Matches an item with the title that an administrator chose, and adds a film to the collection of its series immediately.
 * @throws the errors of `applyMatch`
 */
export async function matchItemAndSyncBoxSet(
  services: Dependencies,
  input: Parameters<typeof applyMatch>[1],
): Promise<AppliedMatch> {
  const applied = await applyMatch(services, input)
  const { libraryId } = await getItem(services, applied.itemId)
  await syncBoxSets(services, libraryId)
  return applied
}
