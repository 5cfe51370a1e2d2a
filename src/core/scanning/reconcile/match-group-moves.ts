/** A member moved from one group to another; `since` is when it was missed in the first. */
export type GroupMove = { oldId: string; newId: string; since: Date }

/**
 * Matches each new group with the old group that most of its members came from. Among equal numbers the first one is taken. Each group is
 * used once. Pure.
 * @param arrivals one entry per member
 */
export function matchGroupMoves(arrivals: readonly GroupMove[]): GroupMove[] {
  const pairs = Map.groupBy(arrivals, ({ oldId, newId }) => `${oldId} ${newId}`)
  const byCount = [...pairs.values()].toSorted((one, other) => other.length - one.length)
  const used = new Set<string>()
  const moves: GroupMove[] = []
  for (const members of byCount) {
    const [first] = members
    if (first === undefined || used.has(first.oldId) || used.has(first.newId)) continue
    used.add(first.oldId).add(first.newId)
    const since = new Date(Math.min(...members.map((member) => member.since.getTime())))
    moves.push({ ...first, since })
  }
  return moves
}
