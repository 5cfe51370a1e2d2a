import type { Connection } from '../../platform/database/index.ts'
import type { GroupWithParent, GroupWrite } from '../item/group-write.ts'
import { groupIdentity } from '../item/group-identity.ts'
import { insertGroups, selectGroupIds } from '../queries/groups.ts'

/** A group and its ancestors, from the top down. */
export type GroupChain = readonly GroupWrite[]

type Input = { libraryId: string; chains: readonly GroupChain[]; now: Date }

/**
 * Creates the groups that do not exist yet, level by level. Existing groups are not changed, because a provider may have named them
 * better. Only one scan writes to a library at a time, so no other process creates the same group meanwhile.
 */
export async function writeGroups(
  connection: Connection,
  { libraryId, chains, now }: Input,
): Promise<{ idOf(chain: GroupChain): string | null }> {
  const ids = new Map<string, string>()
  const depth = Math.max(0, ...chains.map(({ length }) => length))
  for (let level = 0; level < depth; level += 1) {
    const wanted = new Map<string, GroupWithParent>()
    for (const chain of chains) {
      const group = chain[level]
      const above = chain[level - 1]
      if (group !== undefined)
        wanted.set(groupIdentity(group), {
          ...group,
          parentId: above === undefined ? null : (ids.get(groupIdentity(above)) ?? null),
        })
    }
    const groups = [...wanted.values()]
    const known = await selectGroupIds(connection, { libraryId, groups })
    const missing = groups.filter((group) => !known.has(groupIdentity(group)))
    const made = await insertGroups(connection, { libraryId, groups: missing, now })
    for (const [name, id] of [...known, ...made]) ids.set(name, id)
  }
  return {
    idOf: (chain) => {
      const last = chain.at(-1)
      return last === undefined ? null : (ids.get(groupIdentity(last)) ?? null)
    },
  }
}
