import { createDriftControl } from './drift-control.js'
import { positionAt } from './timeline.js'

const TICK_MILLISECONDS = 250

/** A paused picture is moved only if it is visibly elsewhere. */
const PAUSED_TOLERANCE_MILLISECONDS = 15

/** `HTMLMediaElement.HAVE_FUTURE_DATA` */
const HAVE_FUTURE_DATA = 3

/** A wait for data that is shorter is not reported. */
const STALL_REPORT_MILLISECONDS = 200

const REPORT_MILLISECONDS = 5000

/** A start that takes longer waits for data, which says nothing about the next one. */
const MAX_START_MILLISECONDS = 200

/**
 * Further away than this, an element that is paused is moved before it starts. A seek in playback costs a stall, and the next one has to wait.
 */
const START_TOLERANCE_MILLISECONDS = 100

/** Time that a paused element gets to load the position at which it starts. It is doubled after it was too short. */
const [FIRST_LOAD_MILLISECONDS, MAX_LOAD_MILLISECONDS] = [500, 4000]

/** A browser may round a speed. */
const MIN_RATE_DIFFERENCE = 0.0005

/** Time for the reply to a command. Without a reply the timeline applies again. */
const COMMAND_MILLISECONDS = 1000

/** A user who holds a key seeks 30 times a second. The first and the last seek of this time become commands. */
const SEEK_MILLISECONDS = 250

/**
 * Makes a media element follow the timeline of a group, and turns what its user does into commands for the group.
 * @param {HTMLMediaElement} video
 * @param {{now: () => number, serverTime: () => number, clientTime: (serverTime: number) => number, isKnown: () => boolean}} clock milliseconds
 * @param {{ready(isReady: boolean, seq: number): void, report(position: number, serverTime: number): void, command(name: 'play' | 'pause'): void, seek(positionMilliseconds: number): void, rate(rate: number): void, blocked(isBlocked: boolean): void}} actions
 * `blocked`: the browser does not start playback without a click
 */
export function createPlaybackSync(video, clock, actions) {
  const drift = createDriftControl()
  /** @type {import('./timeline.js').Timeline | undefined} */
  let timeline
  /** Whether the element has the media of the timeline, and whether it is loading it, also again in another quality. */
  let [hasMedia, isLoading] = [false, false]
  let [timer, startTimer, stallTimer] = [undefined, undefined, undefined]
  /** Changes by this module, to distinguish their events from those of the user. */
  let [ownSeek, soughtAt, isStarting] = [undefined, undefined, false]
  let [wantsPlaying, lastReady, reportedAt, startLatency] = [false, undefined, 0, 0]
  /** A command of the user is on its way to the group until then: the element is left alone. */
  let heldUntil = 0
  /** Pauses of this module whose event has not come yet, and whether the user has sent a play command. */
  let [ownPauses, isPlayAsked] = [0, false]
  /** Whether the event of the start of the playing element has come. */
  let isStartHandled = !video.paused
  let isBlocked = false
  /** The speed that this module has set last. */
  let ownRate = 1
  /** Seeks of the user that the group has not confirmed yet; the time until the next may be sent, and whether one waits for it. */
  let [seeksOnWay, seekTimer, hasLaterSeek] = [0, undefined, false]
  let loadMilliseconds = FIRST_LOAD_MILLISECONDS

  const expected = () => positionAt(timeline, clock.serverTime())
  const position = () => video.currentTime * 1000
  const isActive = () =>
    timeline !== undefined && timeline.state !== 'idle' && hasMedia && !isLoading && clock.isKnown()

  function seekTo(milliseconds) {
    const end = Number.isFinite(video.duration) ? video.duration : Infinity
    ownSeek = Math.max(0, Math.min(milliseconds / 1000, end))
    soughtAt = clock.now()
    video.currentTime = ownSeek
  }

  function start() {
    if (isStarting || !video.paused || video.ended) return
    isStarting = true
    const from = clock.now()
    video
      .play()
      .then(() => {
        startLatency += (Math.min(clock.now() - from, MAX_START_MILLISECONDS) - startLatency) / 2
        setBlocked(false)
      })
      .catch((error) => setBlocked(error.name === 'NotAllowedError'))
      .finally(() => (isStarting = false))
  }

  /**
   * Starts the paused element when the group is where it is. Before that it is moved ahead of the group, where it loads. If the browser does
   * not start it, it waits for its user.
   */
  function startAtPlace() {
    if (isBlocked || video.ended || video.seeking || video.readyState < HAVE_FUTURE_DATA) return
    const ahead = position() - expected()
    clearTimeout(startTimer)
    if (Math.abs(ahead) <= START_TOLERANCE_MILLISECONDS) {
      loadMilliseconds = FIRST_LOAD_MILLISECONDS
      start()
    } else if (ahead > 0 && ahead <= MAX_LOAD_MILLISECONDS * timeline.rate) {
      startTimer = setTimeout(followPlayback, ahead / timeline.rate - startLatency)
    } else {
      seekTo(expected() + loadMilliseconds * timeline.rate)
      loadMilliseconds = Math.min(loadMilliseconds * 2, MAX_LOAD_MILLISECONDS)
    }
  }

  function setBlocked(next) {
    const isChanged = next !== isBlocked
    isBlocked = next
    if (isChanged) actions.blocked(next)
  }

  function pause() {
    ;[wantsPlaying, isPlayAsked] = [false, false]
    setRate(1)
    // The user has just started the element. Its event sends the command.
    const isStartOfUser = !isStartHandled && !isStarting
    if (video.paused || isStartOfUser) return
    ownPauses += 1
    isStartHandled = false
    video.pause()
  }

  /** Whether the event of a speed that the user has set is still to come. */
  const hasUserRate = () => Math.abs(video.playbackRate - ownRate) > MIN_RATE_DIFFERENCE

  function setRate(factor) {
    if (hasUserRate()) return
    const rate = (timeline?.rate ?? 1) * factor
    ownRate = rate
    if (Math.abs(video.playbackRate - rate) > MIN_RATE_DIFFERENCE) video.playbackRate = rate
  }

  function followPause() {
    pause()
    if (!video.seeking && Math.abs(position() - timeline.position) > PAUSED_TOLERANCE_MILLISECONDS)
      seekTo(timeline.position)
  }

  function followStart(untilStart) {
    followPause()
    clearTimeout(startTimer)
    startTimer = setTimeout(followPlayback, untilStart)
  }

  function followPlayback() {
    if (!isActive() || timeline.state !== 'playing') return
    wantsPlaying = true
    if (video.paused) return startAtPlace()
    if (video.seeking || video.readyState < HAVE_FUTURE_DATA) return
    const { rate, seekAheadMilliseconds } = drift.decide(position() - expected(), clock.now())
    setRate(rate)
    if (seekAheadMilliseconds !== undefined) seekTo(expected() + seekAheadMilliseconds * timeline.rate)
  }

  function follow() {
    if (!isActive() || clock.now() < heldUntil) return
    // Earlier by the time that the element needs to start.
    const untilStart = clock.clientTime(timeline.at) - clock.now() - startLatency
    if (timeline.state !== 'playing') followPause()
    else if (untilStart > 0) followStart(untilStart)
    else followPlayback()
    tellReadiness()
    tellPosition()
  }

  function command(send) {
    heldUntil = clock.now() + COMMAND_MILLISECONDS
    send()
  }

  function askSeek() {
    if (clock.now() >= heldUntil) seeksOnWay = 0
    heldUntil = clock.now() + COMMAND_MILLISECONDS
    hasLaterSeek = seekTimer !== undefined
    if (hasLaterSeek) return
    seeksOnWay += 1
    actions.seek(position())
    seekTimer = setTimeout(() => {
      seekTimer = undefined
      if (hasLaterSeek && isActive()) askSeek()
    }, SEEK_MILLISECONDS)
  }

  /**
   * Whether the user has sought again since the command that caused the timeline: the element is already elsewhere. A jump of somebody else
   * counts.
   */
  function isOvertaken({ isOwnSeek, isForeign }) {
    if (isOwnSeek) seeksOnWay = Math.max(0, seeksOnWay - 1)
    if (isForeign) hasLaterSeek = false
    return !isForeign && clock.now() < heldUntil && (seeksOnWay > 0 || hasLaterSeek)
  }

  /** Begins with a new timeline. */
  function takeUp(hasJumped) {
    if (hasJumped) drift.reset()
    if (timeline.state !== 'playing') wantsPlaying = false
    heldUntil = 0
    clearTimeout(startTimer)
    if (!hasJumped || !isActive()) return
    // The position is known before the start: it is fetched now.
    if (timeline.state !== 'playing') pause()
    seekTo(expected())
  }

  /** The element is ready if it can play at the position of the group. */
  function tellReadiness() {
    const isReady = !isBlocked && !video.seeking && video.readyState >= HAVE_FUTURE_DATA
    const isAtPlace = timeline.state === 'playing' || Math.abs(position() - timeline.position) < 2 * TICK_MILLISECONDS
    tellReady(isReady && isAtPlace)
  }

  function tellReady(isReady) {
    const told = `${isReady} ${timeline.epoch}`
    clearTimeout(stallTimer)
    if (lastReady === told) return
    const tell = () => {
      lastReady = told
      if (isActive()) actions.ready(isReady, timeline.seq)
    }
    // A short wait for data is not reported.
    if (isReady || timeline.state !== 'playing') tell()
    else stallTimer = setTimeout(tell, STALL_REPORT_MILLISECONDS)
  }

  function tellPosition() {
    if (timeline.state !== 'playing' || video.paused || clock.now() - reportedAt < REPORT_MILLISECONDS) return
    reportedAt = clock.now()
    actions.report(position(), clock.serverTime())
  }

  const listeners = {
    play: () => {
      isStartHandled = !video.paused
      // The user has started the element itself.
      if (!video.paused) setBlocked(false)
      const isOfUser = isActive() && !wantsPlaying && !isStarting && !video.paused && timeline.state !== 'playing'
      if (!isOfUser) return
      isPlayAsked = true
      command(() => actions.command('play'))
    },
    pause: () => {
      if (video.paused) isStartHandled = false
      // There is one event for each pause.
      if (ownPauses > 0) return (ownPauses -= 1)
      // While play() is pending the user has paused before the start.
      const isOver = (video.paused || isStarting) && !video.ended
      const isOfUser = isActive() && (wantsPlaying || isPlayAsked) && isOver
      if (!isOfUser) return
      ;[wantsPlaying, isPlayAsked] = [false, false]
      command(() => actions.command('pause'))
    },
    seeking: () => {
      const isOwn = ownSeek !== undefined && Math.abs(video.currentTime - ownSeek) < 0.01
      if (!isActive() || isOwn) return
      soughtAt = undefined
      ownSeek = video.currentTime
      askSeek()
    },
    seeked: () => {
      if (soughtAt !== undefined && wantsPlaying) drift.measureSeek(clock.now() - soughtAt)
      // The next seek to the same place is one of the user.
      ;[soughtAt, ownSeek] = [undefined, video.seeking ? ownSeek : undefined]
      if (isActive()) follow()
    },
    ratechange: () => {
      if (!hasUserRate()) return
      const rate = video.playbackRate
      ownRate = rate
      if (isActive()) command(() => actions.rate(rate))
    },
    canplay: () => {
      isLoading = false
      follow()
    },
    waiting: () => {
      if (isActive()) tellReadiness()
    },
    emptied: () => {
      // Loading has reset the speed.
      ownRate = video.playbackRate
      ;[isLoading, wantsPlaying, lastReady, ownSeek] = [true, false, undefined, undefined]
      // The element drops events that it has not sent yet.
      ;[ownPauses, isPlayAsked, isStartHandled] = [0, false, false]
      clearTimeout(startTimer)
    },
  }
  for (const [name, listener] of Object.entries(listeners)) video.addEventListener(name, listener)
  return {
    /**
     * @param {import('./timeline.js').Timeline} next an older one than the last is ignored
     * @param {{isOwnSeek?: boolean, isCorrection?: boolean}} [origin] whether it results from a seek of this user, or from a command that
     * changed nothing
     */
    follow(next, { isOwnSeek = false, isCorrection = false } = {}) {
      if (timeline !== undefined && next.seq < timeline.seq) return
      // It is repeated with each state of the group, also while a command is on its way.
      if (next.seq === timeline?.seq && !isCorrection) return follow()
      const hasJumped = timeline === undefined || next.epoch !== timeline.epoch
      timeline = next
      timer ??= setInterval(follow, TICK_MILLISECONDS)
      if (isOvertaken({ isOwnSeek, isForeign: isCorrection || (hasJumped && !isOwnSeek) })) return
      takeUp(hasJumped)
      follow()
    },
    /** The user has clicked, so that the browser starts the element. It is called within that event. */
    allowPlayback() {
      setBlocked(false)
      if (isActive() && timeline.state === 'playing') start()
      follow()
    },
    isBlocked: () => isBlocked,
    /** The element has the media of the timeline now, or not. */
    setLoaded(isLoaded) {
      hasMedia = isLoaded
      lastReady = undefined
      follow()
    },
    /** A new connection: the group does not know yet whether the element is ready. */
    tellAgain() {
      lastReady = undefined
    },
    /** Leaves the element to its user. */
    release() {
      for (const id of [startTimer, stallTimer, seekTimer]) clearTimeout(id)
      clearInterval(timer)
      ;[timer, timeline, seekTimer] = [undefined, undefined, undefined]
      ;[hasMedia, isBlocked, hasLaterSeek] = [false, false, false]
      ;[ownRate, video.playbackRate] = [1, 1]
    },
  }
}
