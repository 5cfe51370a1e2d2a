import type { MoveCandidate } from '../../catalogue/index.ts'

/**
 * Matches missing files with new files. Only unique matches are used. Among several files with the same key, the modification time decides,
 * then the hash of both ends of the file. Each file is used once. Pure.
 */
export function matchMoves(candidates: readonly MoveCandidate[]): MoveCandidate[] {
  const moves: MoveCandidate[] = []
  const used = new Set<string>()
  const tests: ((candidate: MoveCandidate) => boolean)[] = [
    () => true,
    (candidate) => candidate.hasSameTime,
    (candidate) => candidate.hasSameContent,
    (candidate) => candidate.hasSameTime && candidate.hasSameContent,
  ]
  for (const test of tests) {
    const open = candidates.filter((one) => !used.has(one.missingId) && !used.has(one.foundId) && test(one))
    const perMissing = Map.groupBy(open, ({ missingId }) => missingId)
    const perFound = Map.groupBy(open, ({ foundId }) => foundId)
    for (const move of open) {
      if (perMissing.get(move.missingId)?.length !== 1 || perFound.get(move.foundId)?.length !== 1) continue
      moves.push(move)
      used.add(move.missingId).add(move.foundId)
    }
  }
  return moves
}
