import { defineErrors } from '../../platform/errors/index.ts'

export const watchGroupErrors = defineErrors({
  group_not_found: {
    kind: 'not_found',
    title: 'Group not found',
    doc: 'No watch group has this id, or it was dissolved.',
  },
  not_a_member: {
    kind: 'forbidden',
    title: 'Not a member of the group',
    doc: 'The client acts on a watch group in which it has no seat. It joins first.',
  },
  NOT_HOST: {
    kind: 'forbidden',
    title: 'Only the host controls playback',
    doc: 'Only the host of a watch group controls playback, the queue and the host role, unless the group has shared control.',
  },
  hidden_from_member: {
    kind: 'conflict',
    title: 'Not every member of the group may see this film',
    doc: 'A watch group shows only items that all of its members may see.',
  },
  member_not_found: {
    kind: 'not_found',
    title: 'Member not found',
    doc: 'The new host of a watch group is not a connected member.',
  },
  group_full: {
    kind: 'limited',
    title: 'The group is full',
    doc: 'A watch group has at most 64 members.',
  },
  too_many_groups: {
    kind: 'limited',
    title: 'Too many groups',
    doc: 'An account has at most 8 watch groups, and a server at most 1000.',
  },
  no_next_item: {
    kind: 'not_found',
    title: 'Nothing is next',
    doc: 'The queue of a watch group has no item that can be played, and there is no episode after the current one.',
  },
  group_unreachable: {
    kind: 'unavailable',
    title: 'Group is not reachable',
    doc: 'The server process of the watch group does not answer. A moment later the group has moved to another one.',
  },
  wrong_group_password: {
    kind: 'forbidden',
    title: 'Wrong group password',
    doc: 'The watch group has a password, and none or another one was sent.',
  },
})
