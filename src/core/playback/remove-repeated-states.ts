import { addMissingKey, hasKey, type Database, type RequiredKey } from '../platform/database/index.ts'
import { countRepeatedStates, deleteRepeatedStates } from './queries/repeated-states.ts'

/** Of migration 0009. With it a session cannot have two states of an item. */
export const STATE_KEY: RequiredKey = {
  table: 'playback_states',
  name: 'playback_states_pkey',
  kind: 'primary key',
  columns: ['session_id', 'media_item_id'],
}

const STATES_PER_STATEMENT = 5000

/** A server that runs can write further ones before the key is there. */
const ATTEMPTS = 3

type Services = { db: Database; connectionUri: string }

/** The number of states that are too many, and whether the key is missing. */
export async function examineRepeatedStates({
  db,
  connectionUri,
}: Services): Promise<{ count: number; isKeyMissing: boolean }> {
  return { count: await countRepeatedStates(db), isKeyMissing: !(await hasKey(connectionUri, STATE_KEY)) }
}

/**
 * Removes all but the newest state of each session and item, and adds the key if it is missing. Each statement is complete: after an
 * interruption another call continues.
 * @returns the number of removed states, and whether the key is there now
 */
export async function removeRepeatedStates({
  db,
  connectionUri,
}: Services): Promise<{ removedCount: number; hasKey: boolean }> {
  let removedCount = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let removed: number
    do removedCount += removed = await deleteRepeatedStates(db, STATES_PER_STATEMENT)
    while (removed > 0)
    if (await addMissingKey(connectionUri, STATE_KEY)) return { removedCount, hasKey: true }
  }
  return { removedCount, hasKey: false }
}
