import { describeError } from '../../platform/errors/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { Outbound } from '../../platform/outbound/index.ts'
import type { CatalogueSource } from './catalogue.ts'
import { checkPins, type CheckedCatalogue } from './check-pins.ts'
import { fetchCatalogue } from './fetch-catalogue.ts'

export type CatalogueServices = { db: Database; clock: Clock; outbound: Outbound }

/** A source with what its index says now, or why it cannot be read. */
export type ReadCatalogue = CatalogueSource & ({ catalogue: CheckedCatalogue } | { problem: string })

/** Reads the indexes of sources, all at the same time. One that fails does not affect the others. */
export async function readCatalogues(
  services: CatalogueServices,
  sources: readonly CatalogueSource[],
  signal?: AbortSignal,
): Promise<readonly ReadCatalogue[]> {
  return Promise.all(
    sources.map(async (source) => {
      const { url, isTrusted } = source
      try {
        const catalogue = await fetchCatalogue(services, url, signal)
        // Nothing can be installed from others, so that it does not matter whether they change.
        if (!isTrusted) return { ...source, catalogue: { ...catalogue, changed: [] } }
        return { ...source, catalogue: await checkPins(services, { url, catalogue }) }
      } catch (error) {
        signal?.throwIfAborted()
        return { ...source, problem: describeError(error) }
      }
    }),
  )
}
