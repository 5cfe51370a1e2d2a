import { createFollower } from './follower.js'
import { createGroupClient } from './group-client.js'
import { createGroupList } from './group-list.js'
import { createGroupPanel } from './group-panel.js'
import { openSocket } from './open-socket.js'

const STORAGE_KEY = 'phlix.seat'

const byId = (id) => document.getElementById(id)
const now = () => performance.now()

/**
 * Watching together in the page: connects the group, the player and the parts of the page.
 * @param {HTMLVideoElement} video
 * @param {{openMedia: (id: string) => Promise<void>, onGroup: (isIn: boolean) => void}} page `openMedia` loads an item and resolves when it is in the player, not playing yet
 */
export function createWatchTogether(video, { openMedia, onGroup }) {
  const panel = createGroupPanel({
    section: byId('watch'),
    title: byId('watch-title'),
    state: byId('watch-state'),
    link: byId('watch-link'),
    members: byId('members'),
    chat: byId('chat'),
  })
  const list = createGroupList(
    {
      dialog: byId('groups'),
      list: byId('group-list'),
      empty: byId('groups-empty'),
      form: byId('group-password'),
      password: byId('group-password-text'),
      problem: byId('groups-problem'),
    },
    (group) => client.join(group),
  )
  /** The item that is in the player or being loaded for the group. */
  let mediaId
  let timeline
  let groupId

  const client = createGroupClient(
    { open: openSocket, now, kept: readSeat() },
    {
      onTimeline: takeTimeline,
      onGroup: takeGroup,
      onMessage: (message) => panel.take(message),
      onSeat: keepSeat,
      onConnection: (isOpen) => isOpen || panel.note('The connection was lost. Trying again …'),
      onProblem: showProblem,
    },
  )
  const { clock } = client
  const follower = createFollower(
    video,
    {
      now,
      serverTime: () => clock.serverTime(),
      clientTime: (time) => clock.clientTime(time),
      isKnown: () => clock.isKnown(),
    },
    {
      ready: (isReady, seq) => client.send('syncplay_ready', { ready: isReady, seq }),
      report: (position, at) =>
        client.send('syncplay_report', { position: Math.max(0, position), at, rtt: clock.roundTrip() }),
      command: (name) => client.send(`syncplay_playback_${name}`, { seq: timeline?.seq }),
      seek: (position) =>
        client.send('syncplay_playback_seek', { to_position: Math.max(0, position), seq: timeline?.seq }),
      blocked: showBlocked,
    },
  )

  /** The group does not wait for a page whose browser needs a click first. */
  function showBlocked(isBlocked) {
    byId('watch-play').hidden = !isBlocked
    client.send('syncplay_ignore_wait', { on: isBlocked })
  }

  function takeGroup(group, welcome) {
    // Also from one group to another: its timelines are counted anew.
    if (group?.group_id !== groupId && (groupId !== undefined || group === undefined)) {
      ;[mediaId, timeline] = [undefined, undefined]
      follower.release()
      byId('watch-play').hidden = true
    }
    groupId = group?.group_id
    panel.show(group, client.ownId())
    if (welcome !== undefined) {
      panel.showChat(welcome.chat ?? [])
      // Also on the same connection, after the group has moved to another process.
      follower.tellAgain()
      const own = group.members.find(({ id }) => id === client.ownId())
      if (own?.ignores_wait !== follower.isBlocked()) showBlocked(follower.isBlocked())
    }
    onGroup(group !== undefined)
  }

  function takeTimeline(next, { cause, member_id: memberId }) {
    if (timeline !== undefined && next.seq < timeline.seq) return
    timeline = next
    panel.showTimeline(next)
    const isOwnSeek = cause === 'seek' && memberId === client.ownId()
    follower.follow(next, { isOwnSeek, isCorrection: cause === 'correction' })
    if (next.media_id !== null && next.media_id !== mediaId) void load(next.media_id)
  }

  async function load(id) {
    mediaId = id
    follower.setLoaded(false)
    video.preload = 'auto'
    await openMedia(id)
    if (mediaId === id) follower.setLoaded(true)
  }

  /** Without a group its part of the page is hidden: the problem is shown where the user has asked for one. */
  function showProblem(text, code, refused) {
    if (code === 'wrong_group_password' && refused?.group_id !== undefined)
      list.askPassword(refused.group_id, refused.password === undefined ? '' : 'The password is not right.')
    else if (client.group() !== undefined) panel.note(text)
    else if (list.isOpen()) list.showProblem(text)
    else byId(byId('player').open ? 'player-problem' : 'list-problem').textContent = text
  }

  function mayControl() {
    const group = client.group()
    return group !== undefined && (group.everyone_controls || group.host_id === client.ownId())
  }

  document.addEventListener('visibilitychange', () => document.hidden || client.wake())
  byId('watch-play').addEventListener('click', () => follower.allowPlayback())
  byId('watch-leave').addEventListener('click', () => client.leave())
  byId('groups-open').addEventListener('click', () => void list.show())
  byId('groups-close').addEventListener('click', () => byId('groups').close())
  byId('chat-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const text = byId('chat-text').value.trim()
    if (text !== '' && client.send('syncplay_chat', { message: text })) byId('chat-form').reset()
  })

  return {
    isInGroup: () => client.group() !== undefined,
    /** Begins a group with an item that is in the player. */
    begin(item) {
      mediaId = item.id
      client.create({ name: item.name.slice(0, 100), mediaId: item.id, position: video.currentTime * 1000 })
      follower.setLoaded(true)
    },
    /** Whether this member may select media, seek and so on. */
    mayControl,
    hasQueue: () => (client.group()?.queue.length ?? 0) > 0,
    /** Selects an item for the group, from a position in milliseconds on. */
    select: (item, position) =>
      client.send('syncplay_playback_media', { media_id: item.id, position, seq: timeline?.seq }),
    /** Goes on to the queue of the group, or to the next episode; false without the right to. */
    next: () => mayControl() && client.send('syncplay_playback_next', { seq: timeline?.seq }),
    join(id) {
      if (client.group()?.group_id !== id) client.join({ groupId: id })
    },
    /** The film was closed. The group goes on. */
    close: () => client.leave(),
    /** The user signs out: the next one has nothing to do with the group. */
    end: () => client.end(),
  }
}

/** The seat of this tab, also after a reload. */
function readSeat() {
  return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') ?? undefined
}

function keepSeat(seat) {
  if (seat === undefined) sessionStorage.removeItem(STORAGE_KEY)
  else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(seat))
}
