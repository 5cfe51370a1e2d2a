import { SignedOut } from '../api.js'
import { openSocket } from './open-socket.js'

const FIRST_RETRY_MILLISECONDS = 1000
const MAX_RETRY_MILLISECONDS = 60_000
const REPORT_MILLISECONDS = 10_000

/** Why a command has no effect in a group. */
export const ONLY_HOST = 'Only the host controls playback'

/**
 * Makes the page a player that other devices of the user control: it executes commands, and reports what it plays.
 * @param {HTMLVideoElement} video
 * @param {{isSignedIn: () => boolean, itemId: () => string | undefined, open: (id: string, positionMilliseconds?: number) =>
 * Promise<boolean>, play: () => Promise<void>, next: () => Promise<boolean>, close: () => void, group: {isInGroup: () => boolean, mayControl: () => boolean},
 * onSignedOut: () => void, onAccessChanged: () => void, onScanProgress: () => void, onLibraryChanged: () => void}} page `onSignedOut`: the session
 * has ended elsewhere
 */
export function createRemoteControl(video, page) {
  /** @type {WebSocket | undefined} */
  let socket
  let [isOpening, retries, reportedAt, retryTimer] = [false, 0, 0, undefined]

  const send = (type, data) => socket?.readyState === 1 && socket.send(JSON.stringify({ type, data }))

  function report(type) {
    reportedAt = performance.now()
    const position = Math.round(video.currentTime * 1000)
    send(type, { media_item_id: page.itemId() ?? null, position, is_paused: video.paused })
  }

  async function start() {
    if (isOpening || socket !== undefined || !page.isSignedIn()) return
    isOpening = true
    clearTimeout(retryTimer)
    try {
      socket = await openSocket()
      retries = 0
      socket.addEventListener('message', ({ data }) => receive(JSON.parse(data)))
      socket.addEventListener('close', () => {
        socket = undefined
        retry()
      })
      send('session_start', { device_name: 'Web page', device_type: 'web' })
    } catch (error) {
      if (error instanceof SignedOut) page.onSignedOut()
      else retry()
    } finally {
      isOpening = false
    }
  }

  function retry() {
    if (!page.isSignedIn()) return
    const limit = Math.min(MAX_RETRY_MILLISECONDS, FIRST_RETRY_MILLISECONDS * 2 ** retries)
    retries += 1
    clearTimeout(retryTimer)
    retryTimer = setTimeout(() => void start(), limit * (0.5 + Math.random() / 2))
  }

  function receive({ type, data }) {
    if (type === 'session_command') void obey(data)
    if (type === 'access_changed') page.onAccessChanged()
    if (type === 'scan_progress') page.onScanProgress()
    if (type === 'library_updated') page.onLibraryChanged()
  }

  async function obey({ command_id: commandId, command, ...values }) {
    const result = await obeyOrExplain(command, values)
    send('session_command_result', { command_id: commandId, ...result })
  }

  async function obeyOrExplain(command, values) {
    const isRefused = CONTROLS.has(command) && page.group.isInGroup() && !page.group.mayControl()
    if (isRefused) return { ok: false, reason: ONLY_HOST }
    try {
      const result = await ACTIONS[command]?.(values)
      return ACTIONS[command] === undefined || result === false ? { ok: false, reason: REASONS[command] } : { ok: true }
    } catch (error) {
      return { ok: false, reason: error.message }
    }
  }

  const hasItem = () => page.itemId() !== undefined

  const ACTIONS = {
    async play({ media_item_id: id, position }) {
      if (id === undefined) return hasItem() && page.play().then(() => true)
      return page.open(id, position)
    },
    async pause() {
      video.pause()
      return hasItem()
    },
    async stop() {
      page.close()
    },
    async seek({ position }) {
      if (!hasItem() || position === undefined) return false
      video.currentTime = position / 1000
    },
    async volume({ volume }) {
      video.volume = volume / 100
    },
    next: async () => hasItem() && page.next(),
  }

  /** Commands that act on the whole group. */
  const CONTROLS = new Set(['play', 'pause', 'seek', 'next'])

  /** Why the player cannot do it. */
  const REASONS = {
    next: 'Nothing is next',
    play: 'The film cannot be played now',
    pause: 'Nothing is open in the player',
    seek: 'Nothing is open in the player',
  }

  for (const [event, type] of [
    ['play', 'playback_start'],
    ['pause', 'playback_pause'],
    ['seeked', 'playback_seek'],
    ['emptied', 'playback_stop'],
  ])
    video.addEventListener(event, () => report(type))
  video.addEventListener('timeupdate', () => {
    if (performance.now() - reportedAt >= REPORT_MILLISECONDS) report('playback_progress')
  })

  return {
    start: () => void start(),
    stop() {
      clearTimeout(retryTimer)
      socket?.close()
    },
  }
}
