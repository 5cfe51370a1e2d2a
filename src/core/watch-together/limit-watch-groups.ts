import { watchGroupErrors } from './group/errors.ts'
import type { WatchGroup } from './group/group.ts'
import type { JoiningClient } from './registry/assign-seat.ts'
import type { WatchGroups } from './watch-groups.ts'

/** The ids of all items that a group shows to its members. */
export function groupItemIds({ timeline, queue }: Pick<WatchGroup, 'timeline' | 'queue'>): string[] {
  return [...(timeline.mediaId === null ? [] : [timeline.mediaId]), ...queue.map(({ mediaId }) => mediaId)]
}

/**
 * The watch groups for accounts that see only some items. For such an account, a group with a hidden item does not exist.
 * @param areVisible whether all of these items are visible
 */
export function watchGroupsVisibleTo(
  groups: WatchGroups,
  areVisible: (itemIds: readonly string[]) => Promise<boolean>,
): WatchGroups {
  const isVisible = (group: WatchGroup): Promise<boolean> => areVisible(groupItemIds(group))

  async function read(groupId: string): Promise<WatchGroup> {
    const group = await groups.read(groupId)
    if (!(await isVisible(group))) throw watchGroupErrors.group_not_found()
    return group
  }

  return {
    ...groups,
    read,
    async list(profileId) {
      const listed = await groups.list(profileId)
      const visible = await Promise.all(listed.map(isVisible))
      return listed.filter((_group, index) => visible[index] === true)
    },
    async joinAnywhere(groupId: string, joiner: JoiningClient) {
      await read(groupId)
      const joined = await groups.joinAnywhere(groupId, joiner)
      // The group may have changed meanwhile.
      if (await isVisible(joined.group)) return joined
      await groups.leaveAnywhere(groupId, joiner)
      throw watchGroupErrors.group_not_found()
    },
    async leaveAnywhere(groupId: string, joiner: JoiningClient) {
      try {
        await groups.leaveAnywhere(groupId, joiner)
      } catch (error) {
        // A member can leave a group with hidden items. For other accounts such a group does not exist.
        await read(groupId)
        throw error
      }
    },
  }
}
