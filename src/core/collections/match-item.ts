import { getItem } from '../catalogue/index.ts'
import { applyMatch, type AppliedMatch } from '../metadata/index.ts'
import { gatherBoxSets } from './gather-box-sets.ts'

type Dependencies = Parameters<typeof applyMatch>[0] & Parameters<typeof gatherBoxSets>[0]

/**
 * Makes an item what an administrator says it is, and a film join the others of its box set at once.
 * @throws what `applyMatch` throws
 */
export async function matchItem(
  services: Dependencies,
  input: Parameters<typeof applyMatch>[1],
): Promise<AppliedMatch> {
  const applied = await applyMatch(services, input)
  const { libraryId } = await getItem(services, applied.itemId)
  await gatherBoxSets(services, libraryId)
  return applied
}
