/** A member of one group arrived in another; `since`: when it was missed in the first. */
export type GroupMove = { oldId: string; newId: string; since: Date }

/**
 * Which group each new group was before: the one that most of its members came from; of several with the same number the first. Each
 * group is used once. Pure.
 * @param arrivals one entry per member
 */
export function likelyOrigins(arrivals: readonly GroupMove[]): GroupMove[] {
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
