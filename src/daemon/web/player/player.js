import { requestJson } from '../api.js'
import { allowedRungs, isFileAllowed } from './allowed-qualities.js'
import { canPlayFile } from './can-play-file.js'
import { recoverFromErrors } from './hls-recovery.js'
import { SEGMENT_POLICY } from './segment-policy.ts'
import { createSubtitles } from './subtitles.js'

/**
 * @typedef {{value: string, label: string}} Choice
 * @typedef {{quality: string, sound: string, subtitles: string}} Wishes the chosen `value` of each menu
 * @typedef {{item: object, facts?: object, isFilePlayable: boolean, isDirect: boolean, isHeld?: boolean, fromSeconds?: number, renewedAt?: number, wishes: Wishes, mainSound: string, subtitleTracks: object[], menus: Record<keyof Wishes, Choice[]>}} Session
 * `mainSound` is the audio track that is part of the video streams, as a value of the menu; `fromSeconds`: where playback begins, until it does;
 * `isFilePlayable`: whether the browser can play the file itself
 */

const FILE = 'file'
const AUTOMATIC = 'auto'
const OFF = ''

const RENEWAL_INTERVAL_MILLISECONDS = 30_000

/** Items of the account that is signed in. */
const SERVER = {
  /** What is known about an item before it plays. */
  facts: (item) => requestJson(`/api/v1/media/${item.id}/playback-info`),
  /** Starts an adaptive stream. */
  stream: (item) => requestJson(`/api/v1/media/${item.id}/transcode`, {}),
}

/** The browser loads subtitles from their own addresses, because tracks that hls.js adds cannot be removed. */
const WITHOUT_SUBTITLES = {
  subtitleStreamController: undefined,
  subtitleTrackController: undefined,
  timelineController: undefined,
}

/**
 * Plays items in one video element: the file itself if the browser can play it, else HLS. Also changes to HLS after a playback error of the
 * file, and when the user selects another quality or audio track.
 * @param {HTMLVideoElement} video
 * @param {{onMode(mode: string): void, onProblem(text: string): void, onFacts(facts: object): void, onMenus(menus: Session['menus'], wishes: Wishes): void}} listeners
 * `onFacts` receives the playback information of an item before it plays
 * @param {typeof SERVER} [source] where items come from
 */
export function createPlayer(video, listeners, source = SERVER) {
  /** @type {Session | undefined} */
  let session
  let hls
  const subtitles = createSubtitles(video, (value) => {
    if (session === undefined || session.wishes.subtitles === value) return
    session.wishes.subtitles = value
    tellMenus()
  })

  video.addEventListener('error', () => {
    if (session === undefined || hls !== undefined || video.error === null) return
    if (!session.isDirect) return report(new Error('This film cannot be played here.'))
    // After a failed request it may be playable again, when the limit of bandwidth allows it.
    session.isFilePlayable = video.error.code === MediaError.MEDIA_ERR_NETWORK
    session.menus.quality = session.menus.quality.filter(({ value }) => value !== FILE)
    session.wishes.quality = AUTOMATIC
    startHls(session, placeOf(session)).catch(report)
  })

  video.addEventListener('playing', () => {
    if (session !== undefined) session.fromSeconds = undefined
  })

  /** Until it plays, the element may still be at 0. */
  const placeOf = (mine) => mine.fromSeconds ?? video.currentTime

  function report(error) {
    listeners.onProblem(error.message)
  }

  function tellMenus() {
    listeners.onMenus(session.menus, session.wishes)
  }

  function silence() {
    hls?.destroy()
    hls = undefined
    subtitles.clear()
    video.removeAttribute('src')
    video.load()
  }

  function stop() {
    session = undefined
    silence()
  }

  async function start(item, { isHeld = false, chooseStart = async () => 0 } = {}) {
    stop()
    const mine = (session = { ...sessionOf(item), isHeld })
    const facts = await source.facts(item)
    if (session !== mine) return undefined
    mine.facts = facts
    listeners.onFacts(facts)
    const fromSeconds = await chooseStart(facts)
    if (session !== mine || fromSeconds === undefined) return undefined
    // The first file of a film in several files is not the whole film.
    mine.isFilePlayable = facts.parts.length === 0 && canPlayFile(video, item)
    // They may have changed while the viewer chose.
    addFacts(mine, mine.facts)
    return mine.isDirect ? startFile(mine, fromSeconds) : startHls(mine, fromSeconds)
  }

  /** The limit of bandwidth may have changed: offers what it allows now, and goes on with that. */
  async function adapt(facts) {
    if (session?.facts === undefined) return
    const mine = session
    mine.facts = facts
    // It has not begun.
    if (mine.menus.quality.length === 0) return listeners.onFacts(facts)
    const before = mine.menus.quality
    mine.menus.quality = qualitiesOf(mine)
    if (isSameChoice(before, mine.menus.quality)) return
    listeners.onFacts(facts)
    if (!mine.menus.quality.some(({ value }) => value === mine.wishes.quality)) mine.wishes.quality = AUTOMATIC
    if (mine.wishes.quality === FILE) return tellMenus()
    mine.isHeld = video.paused
    // hls.js has read the former list of qualities.
    await startHls(mine, placeOf(mine))
  }

  function beginAt(mine, fromSeconds) {
    mine.fromSeconds = fromSeconds
    if (fromSeconds === 0) return
    const seek = () => {
      if (session === mine) video.currentTime = fromSeconds
    }
    video.addEventListener('loadedmetadata', seek, { once: true })
  }

  async function startFile(mine, fromSeconds) {
    silence()
    mine.isDirect = true
    listeners.onMode('Direct')
    tellMenus()
    beginAt(mine, fromSeconds)
    video.src = mine.item.stream_url
    subtitles.offer(mine.subtitleTracks, mine.wishes.subtitles)
    return begin(video, mine)
  }

  async function startHls(mine, fromSeconds) {
    silence()
    mine.isDirect = false
    mine.fromSeconds = fromSeconds
    listeners.onMode('HLS')
    tellMenus()
    const job = await source.stream(mine.item)
    const { default: Hls } = await import('../hls.js')
    if (session !== mine || mine.isDirect) return undefined
    subtitles.offer(job.subtitles, mine.wishes.subtitles)
    if (!Hls.isSupported()) {
      beginAt(mine, fromSeconds)
      video.src = job.master_url
      return begin(video, mine)
    }
    hls = new Hls({
      workerPath: '/assets/hls.worker.js',
      startPosition: fromSeconds,
      fragLoadPolicy: SEGMENT_POLICY,
      ...WITHOUT_SUBTITLES,
    })
    recoverFromErrors(hls, Hls, {
      onGone: () => void renew(mine).catch(report),
      onProblem: (details) => report(new Error(`The film stopped: ${details}.`)),
    })
    for (const event of [Hls.Events.MANIFEST_PARSED, Hls.Events.AUDIO_TRACKS_UPDATED]) hls.on(event, steer)
    hls.loadSource(job.master_url)
    hls.attachMedia(video)
    return begin(video, mine)
  }

  /** Requests the stream again at the same place, at most twice a minute. The buffer is discarded. */
  function renew(mine) {
    if (session !== mine) return Promise.resolve()
    const now = performance.now()
    if (now - (mine.renewedAt ?? -Infinity) < RENEWAL_INTERVAL_MILLISECONDS) {
      silence()
      return Promise.reject(new Error('The film stopped: the server does not send it any more.'))
    }
    mine.renewedAt = now
    mine.isHeld = video.paused
    return startHls(mine, placeOf(mine))
  }

  /** Selects the chosen quality and audio track in hls.js. */
  function steer() {
    const { quality, sound } = session.wishes
    const level = quality === AUTOMATIC ? -1 : hls.levels.findIndex(({ uri }) => renditionOf(uri) === quality)
    if (hls.manualLevel !== level) hls.nextLevel = level
    const wanted = sound === session.mainSound ? undefined : `a${sound}`
    const track = hls.audioTracks.findIndex(({ url }) => renditionOf(url) === wanted)
    if (track !== -1 && hls.audioTrack !== track) hls.audioTrack = track
  }

  async function choose(menu, value) {
    if (session === undefined) return
    const { wishes, mainSound } = session
    wishes[menu] = value
    if (menu === 'subtitles') subtitles.show(value)
    // Browsers cannot select an audio track of a file, so another track needs HLS.
    if (menu === 'sound' && wishes.quality === FILE && value !== mainSound) wishes.quality = AUTOMATIC
    if (menu === 'quality' && value === FILE) wishes.sound = mainSound
    const isDirect = wishes.quality === FILE
    if (isDirect !== session.isDirect) await (isDirect ? startFile : startHls)(session, placeOf(session))
    else if (hls !== undefined && menu !== 'subtitles') steer()
    tellMenus()
  }

  return {
    /**
     * @param {{isHeld?: boolean, chooseStart?: (facts: object) => Promise<number | undefined>}} [options] `isHeld`: playback
     * is not started, because a group starts it; `chooseStart`: where it begins, in seconds, undefined if it shall not begin any more
     * @returns {Promise<boolean>} whether it can be played
     */
    async start(item, options) {
      try {
        await start(item, options)
        return true
      } catch (error) {
        report(error)
        return false
      }
    },
    stop,
    choose: (menu, value) => choose(menu, value).catch(report),
    /** @param {object} facts the playback information of the item in the player, as it is now */
    adapt: (facts) => adapt(facts).catch(report),
  }
}

/** Browsers may refuse to start without a click. The user can then start with the controls. */
async function begin(video, { isHeld }) {
  if (!isHeld) await video.play().catch(() => {})
}

/** `720p` for the video playlist `media_v720p.m3u8`, `a2` for the playlist `media_va2.m3u8` of audio stream 2; undefined for other addresses. */
function renditionOf(address) {
  return /\/media_v([a-z0-9]+)\.m3u8/.exec(address ?? '')?.[1]
}

/** @returns {Session} */
function sessionOf(item) {
  const wishes = { quality: AUTOMATIC, sound: '', subtitles: OFF }
  return {
    item,
    isFilePlayable: false,
    isDirect: false,
    wishes,
    mainSound: '',
    subtitleTracks: [],
    menus: { quality: [], sound: [], subtitles: [] },
  }
}

/** Adds the choices of the menus and the initial choice, from the playback information of the item. */
function addFacts(session, facts) {
  const { audio_tracks: sounds, subtitle_tracks: texts } = facts
  const { menus, wishes } = session
  menus.quality = qualitiesOf(session)
  session.isDirect = menus.quality.some(({ value }) => value === FILE)
  wishes.quality = session.isDirect ? FILE : AUTOMATIC
  menus.sound = sounds.map(({ stream_index: stream, label }) => ({ value: String(stream), label }))
  menus.subtitles = [
    { value: OFF, label: 'Off' },
    ...texts.map(({ index, label }) => ({ value: String(index), label })),
  ]
  session.subtitleTracks = texts
  session.mainSound = String(sounds.find((sound) => sound.default)?.stream_index ?? '')
  wishes.sound = session.mainSound
  wishes.subtitles = String(texts.find((text) => text.default)?.index ?? OFF)
}

/** The choices of the menu of qualities, within the limit of bandwidth. */
function qualitiesOf({ facts, isFilePlayable }) {
  // An original that is not a copy equals the highest rung.
  const rungs = allowedRungs(facts).filter((rung) => rung.is_copy || !rung.is_original)
  return [
    ...(isFilePlayable && isFileAllowed(facts) ? [{ value: FILE, label: 'The file itself' }] : []),
    { value: AUTOMATIC, label: 'Automatic' },
    ...rungs.map(({ id, label }) => ({ value: id, label })),
  ]
}

const isSameChoice = (one, other) => String(one.map(({ value }) => value)) === String(other.map(({ value }) => value))
