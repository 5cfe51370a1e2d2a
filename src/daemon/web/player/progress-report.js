import { requestJson } from '../api.js'

const REPORT_MILLISECONDS = 10_000

/** A user who holds an arrow key seeks 30 times a second. */
const SEEK_MILLISECONDS = 500

const TICKS_PER_SECOND = 10_000_000

/** `HTMLMediaElement.HAVE_CURRENT_DATA` */
const HAVE_CURRENT_DATA = 2

const SESSIONS = '/api/v1/sessions'
const DEVICE = { device_name: 'Web page', device_type: 'web' }

/**
 * Reports to the server where the viewer is in an item, so that every device of the viewer can go on from there. A session of the server lasts as
 * long as one item is open.
 * @typedef {{itemId: string, seconds: number, durationSeconds: number | undefined, hasEnded: boolean}} Place
 * @param {EventTarget & Pick<HTMLMediaElement, 'currentTime' | 'duration' | 'paused' | 'seeking' | 'readyState'>} video
 * @param {{onProgress: (place: Place) => void, onStored: () => void, onRefused: (error: Error) => void}} listeners `onProgress` is called with each
 * report, before it is sent; `onStored` when an item was closed and the server knows where the viewer was
 */
export function createProgressReports(video, { onProgress, onStored, onRefused }) {
  /**
   * The open item. `isSettled`: the element is at a position that the viewer has seen. An element that loads is at 0, which is not reported.
   * @type {{itemId: string, seconds?: number, durationSeconds?: number, isSettled: boolean, hasEnded: boolean} | undefined}
   */
  let current
  /** @type {string | undefined} */
  let sessionId
  /** Reports are sent one after the other. */
  let sending = Promise.resolve()
  let reportedAt = -Infinity
  let timer
  /** Counts the users: what is on its way when one signs out concerns the next one no more. */
  let userNumber = 0

  function enqueue(work) {
    const mine = userNumber
    const isMine = () => mine === userNumber
    sending = sending
      .then(() => isMine() && work())
      .catch((error) => {
        if (!isMine()) return
        if (error.code === 'session_not_found') sessionId = undefined
        else onRefused(error)
      })
  }

  function send(action, body) {
    enqueue(async () => {
      sessionId ??= (await requestJson(SESSIONS, DEVICE)).session_id
      await requestJson(`${SESSIONS}/${sessionId}/${action}`, body)
    })
  }

  function notePlace() {
    if (current?.isSettled !== true || video.seeking || video.readyState < HAVE_CURRENT_DATA) return
    current.seconds = video.currentTime
    if (Number.isFinite(video.duration)) current.durationSeconds = video.duration
  }

  /** @returns {object | undefined} the report; undefined if there is nothing to report */
  function takeReport(isPaused) {
    clearTimeout(timer)
    timer = undefined
    notePlace()
    if (current?.seconds === undefined || current.hasEnded) return undefined
    const { itemId, seconds, durationSeconds } = current
    reportedAt = performance.now()
    onProgress({ itemId, seconds, durationSeconds, hasEnded: false })
    return {
      media_item_id: itemId,
      position_ticks: ticks(seconds),
      ...(durationSeconds === undefined ? {} : { duration_ticks: ticks(durationSeconds) }),
      is_paused: isPaused,
    }
  }

  function report(isPaused = video.paused) {
    const body = takeReport(isPaused)
    if (body !== undefined) send('progress', body)
  }

  function reportSoon() {
    if (current?.isSettled) timer ??= setTimeout(report, SEEK_MILLISECONDS)
  }

  /** The page may be gone before a reply comes. */
  function reportAtOnce(isPaused) {
    if (sessionId === undefined) return
    const body = takeReport(isPaused)
    if (body !== undefined)
      void requestJson(`${SESSIONS}/${sessionId}/progress`, body, { keepalive: true }).catch(() => {})
  }

  function complete() {
    if (current?.isSettled !== true) return
    clearTimeout(timer)
    timer = undefined
    current.hasEnded = true
    const { itemId, durationSeconds } = current
    onProgress({ itemId, seconds: 0, durationSeconds, hasEnded: true })
    send('complete', { media_item_id: itemId })
  }

  const listeners = {
    playing() {
      if (current === undefined || video.readyState < HAVE_CURRENT_DATA) return
      current.isSettled = true
      current.hasEnded = false
      reportSoon()
    },
    pause: reportSoon,
    seeked: reportSoon,
    timeupdate() {
      notePlace()
      if (current?.isSettled && !video.paused && performance.now() - reportedAt >= REPORT_MILLISECONDS) report()
    },
    ended: complete,
    // It loads the item anew, for example in another quality: what was seen last counts until it plays.
    emptied() {
      if (current !== undefined) current.isSettled = false
    },
  }
  for (const [name, listener] of Object.entries(listeners)) video.addEventListener(name, () => listener())
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) reportAtOnce(video.paused)
  })
  addEventListener('pagehide', () => reportAtOnce(true))

  return {
    /** An item is being loaded. @param {{id: string}} item */
    begin({ id }) {
      current = { itemId: id, isSettled: false, hasEnded: false }
    },
    /** The item is closed. */
    end() {
      if (current === undefined) return
      report(true)
      current = undefined
      const mine = userNumber
      enqueue(async () => {
        const id = sessionId
        sessionId = undefined
        if (id === undefined) return
        // It also frees the place among the streams of the viewer.
        await requestJson(`${SESSIONS}/${id}`, undefined, { method: 'DELETE' })
        if (mine === userNumber) onStored()
      })
    },
    /** The user signs out: the last report is sent with the tokens that still exist. */
    leave() {
      reportAtOnce(true)
      userNumber += 1
      current = undefined
      sessionId = undefined
    },
  }
}

const ticks = (seconds) => Math.max(0, Math.round(seconds * TICKS_PER_SECOND))
