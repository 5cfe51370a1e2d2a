import { catalogueErrors, findItems } from '../catalogue/index.ts'
import { isRowId, type Connection } from '../platform/database/index.ts'
import { fractionWatched, type PlayedItem } from './history.ts'
import { selectItemsPlayedByAll } from './queries/history.ts'

/** A played item with its account, and the name of its profile; null: the main profile. */
export type WatchedItem = PlayedItem & {
  sessionId: string
  account: { id: string; username: string; displayName: string | null }
  profileName: string | null
}

const WATCH_HISTORY_LIMIT = 50
const MAX_WATCH_HISTORY = 200

/**
 * The items that all accounts have played, each once per profile, the newest first. Only for administrators.
 * @param input.limit default 50, clamped to 1…200
 * @throws AppError `invalid_request` for an id that is not a UUID
 */
export async function listWatchHistory(
  { db }: { db: Connection },
  input: { userId?: string | undefined; libraryId?: string | undefined; limit?: number | undefined },
): Promise<WatchedItem[]> {
  const { limit = WATCH_HISTORY_LIMIT } = input
  const rows = await selectItemsPlayedByAll(db, {
    userId: readId('userId', input.userId),
    libraryId: readId('libraryId', input.libraryId),
    limit: Math.min(Math.max(Math.trunc(limit), 1), MAX_WATCH_HISTORY),
  })
  const items = await findItems({ db }, [...new Set(rows.map(({ mediaItemId }) => mediaItemId))])
  const itemOf = new Map(items.map((item) => [item.id, item]))
  return rows.flatMap(
    ({ sessionId, userId, username, displayName, profileName, mediaItemId, ...state }): WatchedItem[] => {
      const item = itemOf.get(mediaItemId)
      const account = { id: userId, username, displayName }
      return item === undefined
        ? []
        : [{ item, state, progress: fractionWatched(state), sessionId, account, profileName }]
    },
  )
}

/** A blank id is no filter. */
function readId(field: string, value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined
  if (isRowId(value)) return value
  throw catalogueErrors.invalid_request({ message: `${field} must be a UUID`, details: { field } })
}
