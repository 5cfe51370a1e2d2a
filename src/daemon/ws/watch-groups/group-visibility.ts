import { catalogueErrors } from '../../../core/catalogue/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import {
  watchGroupErrors,
  groupItemIds,
  membersByJoinOrder,
  type WatchGroup,
  type GroupEvent,
} from '../../../core/watch-together/index.ts'

/** Attempts to check a group that changes while its members are compared with its items. */
const ATTEMPTS = 5

/** A group shows only what all of its members may see; limits are read from the database at each check. */
export type GroupVisibility = {
  /** @throws AppError `media_item_not_found` for an item that the profile may not see */
  checkOwn(profileId: string, itemIds: readonly string[]): Promise<void>
  /** A group with an item that the profile may not see is unknown to it. @throws AppError `group_not_found` */
  checkJoin(profileId: string, groupId: string): Promise<void>
  /**
   * Checks the items of an input that changes what a group shows. The caller applies it before anything else happens.
   * @throws AppError `media_item_not_found`; `hidden_from_member` if another member may not see an item
   */
  checkInput(profileId: string, groupId: string, input: GroupEvent): Promise<void>
  /** The groups of a list that the account may know. */
  filter(profileId: string, listed: readonly WatchGroup[]): Promise<WatchGroup[]>
  /** A text that is another one after a change of the limits of the members of these groups of this process. One query; none without members. */
  limitsOf(groupIds: ReadonlySet<string>): Promise<string>
  /** The ids of the members of a group of this process that may not see all of its items. */
  blindMembers(groupId: string): Promise<string[]>
}

export function createGroupVisibility({
  viewers,
  watchGroups: groups,
}: Pick<SigningServices, 'viewers' | 'watchGroups'>): GroupVisibility {
  async function sees(profileId: string, itemIds: readonly string[]): Promise<boolean> {
    return itemIds.length === 0 || (await viewers.whoSeesItems([profileId], itemIds)).has(profileId)
  }

  async function checkOwn(profileId: string, itemIds: readonly string[]): Promise<void> {
    if (!(await sees(profileId, itemIds))) throw catalogueErrors.media_item_not_found()
  }

  const profilesOf = (group: WatchGroup | undefined): string[] =>
    group === undefined ? [] : [...new Set(membersByJoinOrder(group).map((member) => member.profileId))]

  /** Repeats a check until what it compares is the same before and after it: members may join during it. */
  async function whileUnchanged(read: () => string, check: () => Promise<void>): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const before = read()
      await check()
      if (read() === before) return
    }
    throw watchGroupErrors.group_unreachable()
  }

  return {
    checkOwn,
    checkJoin: (profileId, groupId) => {
      const itemIds = (): string[] => {
        const group = groups.find(groupId)
        return group === undefined ? [] : groupItemIds(group)
      }
      return whileUnchanged(
        () => itemIds().join(),
        async () => {
          if (!(await sees(profileId, itemIds()))) throw watchGroupErrors.group_not_found()
        },
      )
    },
    async checkInput(profileId, groupId, input) {
      const itemIds = shownBy(input)
      if (itemIds.length === 0) return
      await checkOwn(profileId, itemIds)
      const profileIds = (): string[] => profilesOf(groups.find(groupId))
      await whileUnchanged(
        () => profileIds().join(),
        async () => {
          const all = profileIds()
          const seeing = await viewers.whoSeesItems(all, itemIds)
          if (all.some((id) => !seeing.has(id))) throw watchGroupErrors.hidden_from_member()
        },
      )
    },
    async filter(profileId, listed) {
      const verdicts = await Promise.all(listed.map((group) => sees(profileId, groupItemIds(group))))
      return listed.filter((_group, index) => verdicts[index] === true)
    },
    async limitsOf(groupIds) {
      const profileIds = [...groupIds].flatMap((groupId) => profilesOf(groups.find(groupId)))
      if (profileIds.length === 0) return ''
      const limits = await viewers.policyIdsOf(profileIds)
      return JSON.stringify([...limits].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    },
    async blindMembers(groupId) {
      const group = groups.find(groupId)
      const itemIds = group === undefined ? [] : groupItemIds(group)
      if (group === undefined || itemIds.length === 0) return []
      const seeing = await viewers.whoSeesItems(profilesOf(group), itemIds)
      return membersByJoinOrder(group)
        .filter((member) => !seeing.has(member.profileId))
        .map(({ id }) => id)
    },
  }
}

/** The items that an input makes a group show. */
function shownBy(input: GroupEvent): string[] {
  if (input.kind === 'media') return [input.mediaId]
  if (input.kind === 'queue') return input.entries.map(({ mediaId }) => mediaId)
  return []
}
