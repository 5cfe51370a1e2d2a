import { moveProgress } from '../../audiobooks/index.ts'
import { moveReadingPositions } from '../../books/index.ts'
import {
  findItems,
  findMoveCandidates,
  lockGroupsIfMergeable,
  mergeGroups,
  moveItemToPath,
  type MoveCandidate,
} from '../../catalogue/index.ts'
import { moveTrack } from '../../music/index.ts'
import { movePositions } from '../../playback/index.ts'
import { transferPhotoData } from '../../photos/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { moveUserData } from '../../user-items/index.ts'
import { matchGroupMoves, type GroupMove } from './match-group-moves.ts'
import { matchMoves } from './match-moves.ts'
import { lockClaimedJob } from '../claim/job-progress.ts'
import { findNonexistentPaths, isPathStateKnown } from './remove-missing.ts'
import type { ScanState } from '../job/scan-state.ts'

/**
 * Applies moves in the file system. Groups whose members all moved are merged into their successors, so that series and seasons keep
 * their ids when a folder is renamed or moved. Then the rows of the moved files get their new paths. User data of the new rows is
 * transferred. Groups are processed from the top level down and files last, so that an interrupted run finds the same moves again.
 */
export async function applyMoves(scan: ScanState): Promise<void> {
  const moves = await findMoves(scan)
  for (const level of await groupMovesOf(scan, moves)) for (const move of level) await mergeGroup(scan, move)
  for (const move of moves) await moveFile(scan, move)
}

/** The old path must no longer exist: a copy is not a move. */
async function findMoves(scan: ScanState): Promise<MoveCandidate[]> {
  const moves = matchMoves(await findMoveCandidates(scan.services.db, scan.job))
  scan.signal.throwIfAborted()
  const gone = await findNonexistentPaths(
    scan.services,
    moves.map(({ missingPath }) => missingPath),
  )
  return moves.filter(({ missingPath }) => gone.has(missingPath) && isPathStateKnown(scan, missingPath))
}

/** Returns the possible successions of groups per level, top level first. */
async function groupMovesOf({ services }: ScanState, moves: readonly MoveCandidate[]): Promise<GroupMove[][]> {
  const levels: GroupMove[][] = []
  let arrivals = moves.flatMap(({ missingParentId, foundParentId, missingSince }) =>
    arrivalBetween(missingParentId, foundParentId, missingSince),
  )
  while (arrivals.length > 0) {
    levels.unshift(matchGroupMoves(arrivals))
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

async function mergeGroup(scan: ScanState, { oldId, newId, since }: GroupMove): Promise<void> {
  scan.signal.throwIfAborted()
  const { job, services } = scan
  await services.db.transaction(async (connection) => {
    await lockClaimedJob(connection, job)
    if (!(await lockGroupsIfMergeable(connection, { keptId: oldId, newId, since }))) return
    await transferData(connection, { fromId: newId, toId: oldId })
    await mergeGroups(connection, { keptId: oldId, newId, now: services.clock.now() })
  })
}

async function moveFile(scan: ScanState, move: MoveCandidate): Promise<void> {
  scan.signal.throwIfAborted()
  const { job, services } = scan
  await services.db.transaction(async (connection) => {
    await lockClaimedJob(connection, job)
    await transferData(connection, { fromId: move.foundId, toId: move.missingId })
    await moveItemToPath(connection, { ...move, now: services.clock.now() })
  })
  scan.counters.added = Math.max(scan.counters.added - 1, 0)
}

/** Transfers user data and playback positions from the new row to the kept one. */
async function transferData(connection: Connection, ids: { fromId: string; toId: string }): Promise<void> {
  await movePositions(connection, ids)
  await moveProgress(connection, ids)
  await moveReadingPositions(connection, ids)
  await moveUserData(connection, ids)
  await moveTrack(connection, ids)
  await transferPhotoData(connection, ids)
}
