import type { Connection } from '../../platform/database/index.ts'
import { selectMarkers } from '../queries/markers.ts'
import {
  countFailedAnalyses,
  selectFailedAnalyses,
  selectMarkedItems,
  selectAnalysisResults,
  type AnalysisResult,
  type MarkedItemRow,
} from '../queries/analysis-results.ts'
import type { Marker } from '../film/marker.ts'

type Dependencies = { db: Connection }

/** What a job works on: a library, or an item with its episodes and further files. */
type Scope = { libraryId: string; itemId: string | null }

/** The results of analyses since a time, by path. */
export async function listAnalysisResults(
  { db }: Dependencies,
  scope: Scope & { since: Date },
): Promise<AnalysisResult[]> {
  return selectAnalysisResults(db, scope)
}

export type MarkedItem = MarkedItemRow & { markers: Marker[] }

/** The items with stored markers, by path. @param scope.since only those stored since then; null: all */
export async function listMarkedItems(
  { db }: Dependencies,
  scope: Scope & { since: Date | null },
): Promise<MarkedItem[]> {
  const items = await selectMarkedItems(db, scope)
  const ids = items.map(({ itemId }) => itemId)
  const markers = Map.groupBy(await selectMarkers(db, ids), ({ itemId }) => itemId)
  return items.map((item) => {
    const own = (markers.get(item.itemId) ?? []).flatMap(
      ({ type, startMilliseconds, endMilliseconds, source, confidence }): Marker[] =>
        startMilliseconds === null || endMilliseconds === null
          ? []
          : [{ type, startMilliseconds, endMilliseconds, source, confidence }],
    )
    return Object.assign(item, { markers: own })
  })
}

/** Films of some libraries that could not be analysed: their number, and the first of them by path. */
export async function findFailedAnalyses(
  { db }: Dependencies,
  { libraryIds, limit }: { libraryIds: readonly string[]; limit: number },
): Promise<{ count: number; failed: AnalysisResult[] }> {
  return {
    count: await countFailedAnalyses(db, { libraryIds }),
    failed: await selectFailedAnalyses(db, { libraryIds, limit }),
  }
}
