import { moveProgress } from '../audiobooks/index.ts'
import { moveReadingPositions } from '../books/index.ts'
import {
  findItems,
  findMoveCandidates,
  isMergeable,
  mergeGroups,
  moveItemToPath,
  type MoveCandidate,
} from '../catalogue/index.ts'
import { moveTrack } from '../music/index.ts'
import { movePositions } from '../playback/index.ts'
import { movePhoto } from '../photos/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { moveUserData } from '../user-items/index.ts'
import { likelyOrigins, type GroupMove } from './group-moves.ts'
import { matchMoves } from './match-moves.ts'
import { lockOwnJob } from './progress.ts'
import { findGone, isVerified } from './remove-missing.ts'
import type { Scan } from './scan.ts'

/**
 * Lets the groups whose members all moved follow them, so that series and seasons keep their ids when a folder is renamed or moved, and
 * then the rows of the moved files take their new places. What people said about the new rows goes over. From the top down and the
 * files last: wherever the process dies, the next attempt finds the same moves again.
 */
export async function applyMoves(scan: Scan): Promise<void> {
  const moves = await findMoves(scan)
  for (const level of await groupMovesOf(scan, moves)) for (const move of level) await followMembers(scan, move)
  for (const move of moves) await followFile(scan, move)
}

/** The old path must really be gone: a copy is not a move. */
async function findMoves(scan: Scan): Promise<MoveCandidate[]> {
  const moves = matchMoves(await findMoveCandidates(scan.services.db, scan.job))
  scan.signal.throwIfAborted()
  const gone = await findGone(
    scan.services,
    moves.map(({ missingPath }) => missingPath),
  )
  return moves.filter(({ missingPath }) => gone.has(missingPath) && isVerified(scan, missingPath))
}

/** Per level, from the top down: which group may be which one's successor. */
async function groupMovesOf({ services }: Scan, moves: readonly MoveCandidate[]): Promise<GroupMove[][]> {
  const levels: GroupMove[][] = []
  let arrivals = moves.flatMap(({ missingParentId, foundParentId, missingSince }) =>
    arrivalBetween(missingParentId, foundParentId, missingSince),
  )
  while (arrivals.length > 0) {
    levels.unshift(likelyOrigins(arrivals))
    const ids = new Set(arrivals.flatMap(({ oldId, newId }) => [oldId, newId]))
    const parents = new Map((await findItems(services, [...ids])).map(({ id, parentId }) => [id, parentId]))
    arrivals = arrivals.flatMap(({ oldId, newId, since }) =>
      arrivalBetween(parents.get(oldId) ?? null, parents.get(newId) ?? null, since),
    )
  }
  return levels
}

function arrivalBetween(oldId: string | null, newId: string | null, since: Date): GroupMove[] {
  return oldId === null || newId === null || oldId === newId ? [] : [{ oldId, newId, since }]
}

async function followMembers(scan: Scan, { oldId, newId, since }: GroupMove): Promise<void> {
  scan.signal.throwIfAborted()
  const { job, services } = scan
  await services.db.transaction(async (connection) => {
    await lockOwnJob(connection, job)
    if (!(await isMergeable(connection, { keptId: oldId, newId, since }))) return
    await takeOver(connection, { fromId: newId, toId: oldId })
    await mergeGroups(connection, { keptId: oldId, newId, now: services.clock.now() })
  })
}

async function followFile(scan: Scan, move: MoveCandidate): Promise<void> {
  scan.signal.throwIfAborted()
  const { job, services } = scan
  await services.db.transaction(async (connection) => {
    await lockOwnJob(connection, job)
    await takeOver(connection, { fromId: move.foundId, toId: move.missingId })
    await moveItemToPath(connection, { ...move, now: services.clock.now() })
  })
  scan.counters.added = Math.max(scan.counters.added - 1, 0)
}

/** What people have said about the new row, and played of it, is about the film. */
async function takeOver(connection: Connection, ids: { fromId: string; toId: string }): Promise<void> {
  await movePositions(connection, ids)
  await moveProgress(connection, ids)
  await moveReadingPositions(connection, ids)
  await moveUserData(connection, ids)
  await moveTrack(connection, ids)
  await movePhoto(connection, ids)
}
