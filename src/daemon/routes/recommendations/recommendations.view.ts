import { toIsoTimestamp } from '../../../core/platform/time/index.ts'
import type { Recommendation } from '../../../core/recommendations/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { MediaRows } from '../media/media-rows.ts'
import { similarItemsView } from '../media/item-subresource.view.ts'

/** Recommendations, and their creation time. */
export async function recommendationsView(
  rows: MediaRows,
  services: Pick<SigningServices, 'db' | 'artworkCache' | 'signer'>,
  found: readonly Recommendation[],
) {
  const items = await similarItemsView(rows, services, found)
  return items.flatMap((item, index) => {
    const computedAt = found[index]?.computedAt
    return computedAt === undefined ? [] : [{ ...item, computedAt: toIsoTimestamp(computedAt) }]
  })
}
