import { currentUser, SignedOut } from '../api.js'
import { copyText } from './copy-link.js'
import { createPlaybackSync } from './playback-sync.js'
import { createGroupClient } from './group-client.js'
import { createGroupList } from './group-list.js'
import { createGroupPanel } from './group-panel.js'
import { createNewGroup } from './new-group.js'
import { openSocket } from './open-socket.js'

const STORAGE_KEY = 'phlix.seat'

/** Time for the answer of the group to a film that was chosen. */
const ANSWER_MILLISECONDS = 4000

const byId = (id) => document.getElementById(id)
const now = () => performance.now()

/**
 * Watching together in the page: connects the group, the player and the parts of the page.
 * @param {HTMLVideoElement} video
 * @param {{openMedia: (id: string) => Promise<void>, onGroup: (group: object | undefined) => void, onSignedOut: () => void}} page `openMedia` loads an item and resolves when it is in the player, not playing yet; `onSignedOut`: the session has ended, so the group cannot be joined again
 */
export function createWatchTogether(video, { openMedia, onGroup, onSignedOut }) {
  const panel = createGroupPanel(
    {
      section: byId('watch'),
      title: byId('watch-title'),
      link: byId('watch-link'),
      state: byId('watch-state'),
      control: byId('watch-control'),
      notice: byId('watch-notice'),
      members: byId('members'),
      queue: byId('queue'),
      queueFrame: byId('queue-frame'),
      chat: byId('chat'),
    },
    {
      onTransfer: (memberId) => client.send('syncplay_host_transfer', { new_host_id: memberId }),
      onDrop: (id) => sendQueue((client.group()?.queue ?? []).filter((entry) => entry.media_id !== id)),
    },
  )
  const list = createGroupList(
    {
      dialog: byId('groups'),
      list: byId('group-list'),
      empty: byId('groups-empty'),
      form: byId('group-password'),
      password: byId('group-password-text'),
      passwordOf: byId('group-password-of'),
      problem: byId('groups-problem'),
    },
    (group) => client.join(group),
  )
  /** The item that is in the player or being loaded for the group. */
  let mediaId
  let timeline
  let groupId
  /** A film that was chosen here, until the group has it or refuses it. */
  let chosen
  let isLeaving = false
  let displayName

  /** The name that the account shows is known when the group is joined. */
  async function openNamed() {
    try {
      displayName = (await currentUser()).display_name ?? undefined
      return await openSocket()
    } catch (error) {
      // No other part of the page notices it: what the page knows of the session is forgotten by now.
      if (error instanceof SignedOut) onSignedOut()
      throw error
    }
  }

  const client = createGroupClient(
    { open: openNamed, now, kept: readSeat(), memberName: () => displayName },
    {
      onTimeline: takeTimeline,
      onGroup: takeGroup,
      onMessage: takeMessage,
      onSeat: keepSeat,
      onConnection: (isOpen) => isOpen || panel.note('The connection was lost. Trying again …'),
      onProblem: showProblem,
    },
  )
  const { clock } = client
  const playbackSync = createPlaybackSync(
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
      rate: (rate) => client.send('syncplay_playback_rate', { rate, seq: timeline?.seq }),
      blocked: showBlocked,
    },
  )

  /** The group does not wait for a page whose browser needs a click first. */
  function showBlocked(isBlocked) {
    byId('watch-play').hidden = !isBlocked
    client.send('syncplay_ignore_wait', { on: isBlocked })
  }

  function takeMessage(message) {
    panel.take(message)
    if (message.type === 'syncplay_host_elect')
      panel.note(
        message.elected_id === client.ownId()
          ? 'You are the host now.'
          : `${panel.nameOf(message.elected_id) ?? 'Somebody else'} is the host now.`,
      )
    if (message.type === 'syncplay_info' && message.code === 'dissolved') showOutside('The group has ended.')
  }

  function sendQueue(entries) {
    const queue = entries.map(({ media_id, media_info }) => ({ media_id, media_info }))
    return client.send('syncplay_playback_queue', { queue })
  }

  function answerChosen(isTaken) {
    chosen?.answer(isTaken)
    chosen = undefined
  }

  function takeGroup(group, welcome) {
    // The player was closed: a state that was on its way must not open it again.
    if (isLeaving && group !== undefined && welcome === undefined) return
    isLeaving = false
    // Also from one group to another: its timelines are counted anew.
    if (group?.group_id !== groupId && (groupId !== undefined || group === undefined)) {
      ;[mediaId, timeline] = [undefined, undefined]
      playbackSync.release()
      byId('watch-play').hidden = true
    }
    groupId = group?.group_id
    panel.show(group, client.ownId())
    if (welcome !== undefined) {
      panel.showChat(welcome.chat ?? [])
      // Also on the same connection, after the group has moved to another process.
      playbackSync.tellAgain()
      const own = group.members.find(({ id }) => id === client.ownId())
      if (own?.ignores_wait !== playbackSync.isBlocked()) showBlocked(playbackSync.isBlocked())
    }
    onGroup(group)
  }

  function takeTimeline(next, { cause, member_id: memberId }) {
    if (timeline !== undefined && next.seq < timeline.seq) return
    timeline = next
    panel.showTimeline(next)
    const isOwnSeek = cause === 'seek' && memberId === client.ownId()
    playbackSync.follow(next, { isOwnSeek, isCorrection: cause === 'correction' })
    if (next.media_id === chosen?.id) answerChosen(true)
    if (next.media_id !== null && next.media_id !== mediaId) void load(next.media_id)
  }

  async function load(id) {
    mediaId = id
    playbackSync.setLoaded(false)
    video.preload = 'auto'
    await openMedia(id)
    if (mediaId === id) playbackSync.setLoaded(true)
  }

  function showOutside(text) {
    byId(byId('player').open ? 'player-problem' : 'list-problem').textContent = text
  }

  /** Without a group its part of the page is hidden: the problem is shown where the user has requested one. */
  function showProblem(text, code, refused) {
    answerChosen(false)
    // The other tab plays; two would be heard.
    if (code === 'seat_taken') video.pause()
    if (code === 'wrong_group_password' && refused?.group_id !== undefined)
      list.askPassword(refused.group_id, refused.password === undefined ? '' : 'The password is not right.')
    else if (client.group() !== undefined && byId('player').open) panel.note(text)
    else if (list.isOpen()) list.showProblem(text)
    else showOutside(text)
  }

  function mayControl() {
    const group = client.group()
    return group !== undefined && (group.everyone_controls || group.host_id === client.ownId())
  }

  async function select(item, position) {
    answerChosen(false)
    const { promise, resolve } = Promise.withResolvers()
    chosen = { id: item.id, answer: resolve }
    const fields = { media_id: item.id, position, seq: timeline?.seq }
    if (!client.send('syncplay_playback_media', fields)) answerChosen(false)
    const timer = setTimeout(() => resolve(false), ANSWER_MILLISECONDS)
    return promise.finally(() => clearTimeout(timer))
  }

  /** The item with which the next group begins. */
  let begun
  const newGroup = createNewGroup(byId('new-group'), (group) => {
    mediaId = begun.id
    client.create({ ...group, mediaId: begun.id, position: video.currentTime * 1000 })
    playbackSync.setLoaded(true)
  })

  document.addEventListener('visibilitychange', () => document.hidden || client.wake())
  byId('watch-play').addEventListener('click', () => playbackSync.allowPlayback())
  byId('watch-leave').addEventListener('click', () => {
    isLeaving = true
    client.leave()
  })
  byId('watch-link').addEventListener('click', (event) => {
    event.preventDefault()
    const address = byId('watch-link').href
    void copyText(address, byId('watch')).then((isCopied) =>
      panel.note(isCopied ? 'The link is copied. Send it to those who shall join.' : `The link is ${address}`),
    )
  })
  byId('groups-open').addEventListener('click', () => void list.show())
  byId('groups-close').addEventListener('click', () => byId('groups').close())
  byId('chat-form').addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    // It would close the player and leave the group.
    event.preventDefault()
    video.focus()
  })
  byId('chat-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const text = byId('chat-text').value.trim()
    if (text !== '' && client.send('syncplay_chat', { message: text })) byId('chat-form').reset()
  })

  return {
    isInGroup: () => client.group() !== undefined,
    /** Asks for the name of a group, and begins it with an item that is in the player. */
    begin(item) {
      begun = item
      void newGroup.open(item.name)
    },
    /** Whether this member may select media, seek and so on. */
    mayControl,
    hasQueue: () => (client.group()?.queue.length ?? 0) > 0,
    /** Selects an item for the group, from a position in milliseconds on. Resolves to whether the group has it now. */
    select,
    /** Adds an item to the end of the queue. @returns {boolean} whether the request was sent */
    enqueue: ({ id, name }) => sendQueue([...(client.group()?.queue ?? []), { media_id: id, media_info: { name } }]),
    /** Goes on to the queue of the group, or to the next episode; false without the right to. */
    next: () => mayControl() && client.send('syncplay_playback_next', { seq: timeline?.seq }),
    join(id) {
      if (client.group()?.group_id !== id) client.join({ groupId: id })
    },
    /** The film was closed. The group goes on. */
    close() {
      isLeaving = true
      client.leave()
    },
    name: () => client.group()?.group_name,
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
