import {
  enqueueItemEvents,
  listRepeatedFiles,
  removeRepeatedFile,
  restoreFileKey,
  type RepeatedFile,
} from '../catalogue/index.ts'
import { moveEntries } from '../collections/index.ts'
import { movePositions } from '../playback/index.ts'
import type { Database } from '../platform/database/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { mergeUserData } from '../user-items/index.ts'

const FILES_PER_PAGE = 200

/** A server that runs can add further rows before the key is there. */
const ATTEMPTS = 3

type Services = { db: Database; clock: Clock; connectionUri: string }

/**
 * Removes all but the first added row of each file of a library, and adds the unique key if it is missing. User data, playback positions,
 * plays and collection entries of the removed rows are transferred to the kept one. Each file is one transaction: after an interruption
 * another call continues.
 * @returns the number of removed rows, and whether the key is there now
 * @throws the reason of the signal
 */
export async function removeRepeatedFiles(
  services: Services,
  signal: AbortSignal,
): Promise<{ removedCount: number; hasKey: boolean }> {
  let removedCount = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let files: readonly RepeatedFile[]
    do {
      files = await listRepeatedFiles(services.db, FILES_PER_PAGE)
      for (const file of files) {
        signal.throwIfAborted()
        removedCount += await keepFirst(services, file)
      }
    } while (files.length > 0)
    if (await restoreFileKey(services.connectionUri)) return { removedCount, hasKey: true }
  }
  return { removedCount, hasKey: false }
}

async function keepFirst({ db, clock }: Services, { libraryId, ids }: RepeatedFile): Promise<number> {
  const [toId, ...others] = ids
  if (toId === undefined || others.length === 0) return 0
  await db.transaction(async (connection) => {
    for (const fromId of others) {
      const move = { fromId, toId }
      await movePositions(connection, move)
      await mergeUserData(connection, move)
      await moveEntries(connection, move)
      await removeRepeatedFile(connection, move)
    }
    await enqueueItemEvents(connection, { change: 'item_removed', libraryId, itemIds: others }, clock.now())
  })
  return others.length
}
