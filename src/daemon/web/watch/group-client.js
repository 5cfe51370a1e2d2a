import { createClockSync } from './clock-sync.js'

/** Pings after a connection has opened, then a ping in a longer interval. */
const FIRST_PINGS = 6
const FIRST_PING_MILLISECONDS = 120
const PING_MILLISECONDS = 4000

/** A ping without an answer for this time: the connection is closed and opened again. */
const SILENCE_MILLISECONDS = 12_000

/** A timer that is later by this: the page is hidden, whose timers run once a minute, or the machine has slept. */
const LATE_MILLISECONDS = 2000

const FIRST_RETRY_MILLISECONDS = 300
const MAX_RETRY_MILLISECONDS = 10_000

/** Time that another process needs to take a group over. */
const MOVE_MILLISECONDS = 500

/** Errors after which the seat is gone for good. */
const FINAL_CODES = new Set(['group_not_found', 'wrong_group_password', 'group_full', 'seat_taken'])

/**
 * The connection of one client to the watch groups of a server: one group at a time, its clock, and its seat, which outlives lost
 * connections.
 * @param {{open: () => Promise<WebSocket>, now: () => number, kept?: {groupId: string, resumeToken: string}, memberName?: () => string | undefined}} parts
 * `open` makes a new connection, `now` is a monotonic time in milliseconds, `kept` a seat of an earlier page, `memberName` the shown name; `refused` of `onProblem` is the
 * message that creates or joins a group
 * @param {{onTimeline?(timeline: object, message: object): void, onGroup?(group: object | undefined, welcome?: object): void, onMessage?(message: object): void, onConnection?(isOpen: boolean): void, onSeat?(seat: {groupId: string, resumeToken: string} | undefined): void, onProblem?(text: string, code: string, refused: {type: string, group_id?: string, password?: string} | undefined): void}} listeners
 */
export function createGroupClient({ open, now, kept, memberName = () => undefined }, listeners) {
  const clock = createClockSync(now)
  /** What is sent after each opening: the creation of a group once, then the way back to its seat. */
  let entry = kept === undefined ? undefined : joinMessage(kept)
  /** The seat, with the password of its group as long as the page is open: the seat may end. */
  let seat
  /** @type {WebSocket | undefined} */
  let socket
  let [isStopped, isOpening, stops, retries, pings] = [false, false, 0, 0, 0]
  let [pingTimer, retryTimer] = [undefined, undefined]
  /** When the oldest ping without an answer was sent, when the next ping is due, and whether a second one was sent after a late timer. */
  let [askedAt, pingDueAt, isAskedAgain] = [undefined, 0, false]
  /** The server process whose clock `clock` has. */
  let clockProcess
  let [group, ownId] = [undefined, undefined]

  function send(type, fields = {}) {
    if (socket?.readyState !== 1) return false
    socket.send(JSON.stringify({ type, ...fields }))
    return true
  }

  function sendEntry() {
    return send(entry.type, { ...entry, member_name: memberName() })
  }

  function ping() {
    clearTimeout(pingTimer)
    const time = now()
    const isOverdue = askedAt !== undefined && time - askedAt > SILENCE_MILLISECONDS
    // After a late timer, the pong may be waiting unread: one more ping is sent.
    const isLate = time - pingDueAt > LATE_MILLISECONDS
    if (isOverdue && (isAskedAgain || !isLate)) return socket?.close()
    isAskedAgain = isOverdue
    askedAt = isOverdue ? time : (askedAt ?? time)
    send('syncplay_time_ping', { client_time: time })
    pings += 1
    const pause = pings < FIRST_PINGS ? FIRST_PING_MILLISECONDS : PING_MILLISECONDS
    pingDueAt = time + pause
    pingTimer = setTimeout(ping, pause)
  }

  /** The clock of another process: what was measured before says nothing about it. */
  function useClockOf(processId) {
    if (processId === undefined || processId === clockProcess) return
    clockProcess = processId
    clock.forget()
    pings = 0
    ping()
  }

  async function connect() {
    if (isOpening || isStopped || entry === undefined) return
    isOpening = true
    clearTimeout(retryTimer)
    const stopsBefore = stops
    try {
      const opened = await open()
      // It may belong to the user before.
      if (stops !== stopsBefore) return opened.close()
      socket = opened
      ;[pings, askedAt, pingDueAt, isAskedAgain] = [0, undefined, now(), false]
      clock.renew()
      opened.addEventListener('message', ({ data }) => socket === opened && receive(JSON.parse(data)))
      opened.addEventListener('close', () => lose(opened))
      listeners.onConnection?.(true)
      ping()
      sendEntry()
    } catch {
      retry()
    } finally {
      isOpening = false
      if (stops !== stopsBefore) void connect()
    }
  }

  function lose(closed) {
    if (socket !== closed) return
    socket = undefined
    clearTimeout(pingTimer)
    listeners.onConnection?.(false)
    // The user has left, and nothing will answer.
    if (entry === undefined && group !== undefined) forget()
    retry()
  }

  /** All clients of a server that has restarted must not come back in the same moment. */
  function retry() {
    if (isStopped || entry === undefined) return
    const limit = Math.min(MAX_RETRY_MILLISECONDS, FIRST_RETRY_MILLISECONDS * 2 ** retries)
    retries += 1
    clearTimeout(retryTimer)
    retryTimer = setTimeout(() => void connect(), limit * (0.5 + Math.random() / 2))
  }

  function receive(message) {
    ;[askedAt, isAskedAgain] = [undefined, false]
    const handler = HANDLERS[message.type]
    if (handler === undefined) listeners.onMessage?.(message)
    else handler(message)
  }

  const HANDLERS = {
    syncplay_time_pong: ({
      client_time: clientTime,
      precise_server_time: serverTime,
      precise_server_send_time: serverSendTime,
      process_id: processId,
    }) => {
      // Before a welcome any process may answer; then only the one of the group counts.
      if (group !== undefined && processId !== clockProcess) return
      if (group === undefined && processId !== clockProcess) clock.forget()
      clockProcess = processId
      clock.add({ clientTime, serverTime, serverSendTime }, now())
    },
    syncplay_group_state: (message) => {
      ;[group, ownId] = [message.group, message.your_id]
      const { resume_token: resumeToken } = message
      if (resumeToken !== undefined) {
        // Not before: a server that accepts connections and then closes them must not be flooded with attempts.
        retries = 0
        useClockOf(message.process_id)
        const { password = seat?.groupId === group.group_id ? seat.password : undefined } = entry ?? {}
        seat = { groupId: group.group_id, resumeToken, password }
        entry = joinMessage(seat)
        listeners.onSeat?.({ groupId: seat.groupId, resumeToken })
        listeners.onGroup?.(group, message)
      } else listeners.onGroup?.(group)
      listeners.onTimeline?.(group.timeline, message)
    },
    syncplay_timeline: (message) => listeners.onTimeline?.(message.timeline, message),
    syncplay_info: (message) => {
      listeners.onMessage?.(message)
      const isOver = message.code === 'dissolved' || (message.code === 'left' && message.affected_member_id === ownId)
      if (isOver && message.group_id === group?.group_id) forget()
    },
    syncplay_error: ({ code, message }) => {
      // The process of the group has ended: another one has it.
      if (code === 'group_moved' || code === 'group_unreachable') return comeBackLater()
      if (code === 'not_a_member' && group !== undefined) return comeBack()
      const refused = entry
      const isCreation = entry?.type === 'syncplay_group_create'
      // The seat in another group is kept until the new one is taken.
      if (seat !== undefined && (isCreation || (FINAL_CODES.has(code) && entry?.group_id !== seat.groupId)))
        entry = joinMessage(seat)
      else if (isCreation || FINAL_CODES.has(code)) forget()
      listeners.onProblem?.(message, code, refused)
    },
  }

  /** Takes the seat again, unless the user has left meanwhile. */
  function comeBack() {
    if (entry === undefined) forget()
    else sendEntry()
  }

  function comeBackLater() {
    const asked = entry
    setTimeout(() => entry === asked && comeBack(), MOVE_MILLISECONDS)
  }

  function forget() {
    ;[entry, seat, group, ownId] = [undefined, undefined, undefined, undefined]
    listeners.onSeat?.(undefined)
    listeners.onGroup?.(undefined)
  }

  function stop() {
    isStopped = true
    stops += 1
    for (const timer of [pingTimer, retryTimer]) clearTimeout(timer)
    socket?.close()
    // Messages that were sent before the end are no longer used.
    socket = undefined
  }

  function enter(message) {
    entry = message
    isStopped = false
    if (!sendEntry()) void connect()
  }

  if (entry !== undefined) void connect()

  return {
    clock,
    group: () => group,
    ownId: () => ownId,
    /** @param {{name?: string, password?: string, mediaId?: string, position?: number, everyoneControls?: boolean}} fields `position` in milliseconds */
    create({ name, password, mediaId, position, everyoneControls }) {
      const fields = { group_name: name || undefined, password: password || undefined, media_id: mediaId, position }
      enter({ type: 'syncplay_group_create', ...fields, everyone_controls: everyoneControls, reports_readiness: true })
    },
    /** @param {{groupId: string, password?: string}} fields */
    join: ({ groupId, password }) => enter(joinMessage({ groupId, password: password || undefined })),
    leave() {
      // An answer that is on its way must not bring the seat back.
      entry = undefined
      if (!send('syncplay_group_leave')) forget()
    },
    send,
    /** The page is shown again: its timers were slow. */
    wake: () => socket !== undefined && ping(),
    /** Closes the connection. The seat is kept for a time. */
    stop,
    /** Gives up the seat and closes the connection, for the next user of the page. */
    end() {
      send('syncplay_group_leave')
      forget()
      stop()
    },
  }
}

function joinMessage({ groupId, resumeToken, password }) {
  const way = { resume_token: resumeToken, password }
  return { type: 'syncplay_group_join', group_id: groupId, ...way, reports_readiness: true }
}
