import type { Static } from 'typebox'
import { getItem, type MediaItem } from '../../../core/catalogue/index.ts'
import type { SigningServices } from '../../../core/services.ts'
import type { WatchGroup, GroupEvent } from '../../../core/watch-together/index.ts'
import { findNextGroupItem } from './find-next-group-item.ts'
import type { SYNCPLAY_MESSAGES, SyncplayType } from './syncplay.schemas.ts'

type Content<Type extends SyncplayType> = Static<(typeof SYNCPLAY_MESSAGES)[Type]>

/** Messages that become one input of the group. */
type CommandType = Exclude<
  SyncplayType,
  | 'syncplay_time_ping'
  | 'syncplay_group_list'
  | 'syncplay_group_create'
  | 'syncplay_group_join'
  | 'syncplay_group_leave'
  | 'syncplay_playback_next'
>

type Services = Pick<SigningServices, 'db'>

type Translation<Type extends CommandType, Result> = (
  content: Content<Type>,
  memberId: string,
  services: Services,
) => Result

type Translations = {
  [Type in Exclude<CommandType, 'syncplay_playback_media'>]: Translation<Type, GroupEvent>
} & { syncplay_playback_media: Translation<'syncplay_playback_media', Promise<MediaInput>> }

type MediaInput = Extract<GroupEvent, { kind: 'media' }>

const basedOn = ({ seq }: { seq?: number }) => (seq === undefined ? {} : { basedOn: seq })

const positionOf = ({ position }: { position?: number }) => (position === undefined ? {} : { position })

/** The input of a message. The member is the one of the connection, whatever the message says. */
export const GROUP_COMMANDS: Translations = {
  syncplay_playback_play: (content, memberId) => ({
    kind: 'play',
    memberId,
    ...positionOf(content),
    ...basedOn(content),
  }),
  syncplay_playback_pause: (content, memberId) => ({
    kind: 'pause',
    memberId,
    ...positionOf(content),
    ...basedOn(content),
  }),
  syncplay_playback_seek: (content, memberId) => ({
    kind: 'seek',
    memberId,
    to: content.to_position,
    ...basedOn(content),
  }),
  syncplay_playback_rate: (content, memberId) => ({
    kind: 'rate',
    memberId,
    rate: content.rate,
    ...basedOn(content),
  }),
  syncplay_playback_media: selectMedia,
  syncplay_playback_queue: ({ queue }, memberId) => {
    const entries = queue.map((entry) => ({ mediaId: entry.media_id, mediaInfo: entry.media_info ?? null }))
    return { kind: 'queue', memberId, entries }
  },
  syncplay_playback_sync: ({ position }, memberId) => ({ kind: 'report', memberId, position }),
  syncplay_ready: ({ ready, seq }, memberId) => ({
    kind: 'ready',
    memberId,
    isReady: ready,
    ...(seq !== undefined && { seq }),
  }),
  syncplay_report: ({ position, at, rtt }, memberId) => ({
    kind: 'report',
    memberId,
    position,
    ...(at !== undefined && { at }),
    ...(rtt !== undefined && { roundTripMilliseconds: rtt }),
  }),
  syncplay_ignore_wait: ({ on }, memberId) => ({ kind: 'ignoreWait', memberId, isOn: on }),
  syncplay_chat: ({ message }, memberId) => ({ kind: 'chat', memberId, text: message }),
  syncplay_typing: ({ is_typing: isTyping }, memberId) => ({ kind: 'typing', memberId, isTyping }),
  syncplay_host_transfer: (content, memberId) => ({ kind: 'transferHost', memberId, to: content.new_host_id }),
}

/** @throws AppError `media_item_not_found` */
async function selectMedia(
  content: Content<'syncplay_playback_media'>,
  memberId: string,
  services: Services,
): Promise<MediaInput> {
  const item = await getItem(services, content.media_id)
  return { ...mediaInput(item, memberId), position: content.position ?? 0, ...basedOn(content) }
}

/**
 * Selects the next item for a group, from its start.
 * @throws AppError `no_next_item`
 */
export async function selectNextItem(
  content: Content<'syncplay_playback_next'>,
  memberId: string,
  { services, group }: { services: Services; group: WatchGroup },
): Promise<MediaInput> {
  const { item, isFromQueue } = await findNextGroupItem(services, group)
  return { ...mediaInput(item, memberId), isFromQueue, ...basedOn(content) }
}

function mediaInput({ id, durationSeconds }: MediaItem, memberId: string): MediaInput {
  const durationMilliseconds = durationSeconds === null ? null : durationSeconds * 1000
  return { kind: 'media', memberId, mediaId: id, position: 0, durationMilliseconds }
}
