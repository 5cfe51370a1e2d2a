import { batch, signal } from '@preact/signals'
import { OUTSIDE_HOURS } from '../../player/still-allowed.js'
import { createProgressReports } from '../../player/progress-report.js'
import { SignedOut } from '../../api.js'
import type { OneTrack } from '../api-types.d.ts'
import { giveToGroup } from '../cards/open-item.ts'
import { musicPage, registerMusic } from '../cards/music-control.ts'
import { fetchReply } from '../data/replies.ts'
import { texts } from '../messages/language.ts'
import { AudioPair } from './audio-pair.ts'
import { clearMediaSession, showMediaPosition, showMediaSession } from './media-session.ts'
import {
  afterRepeat,
  extended,
  ordered,
  placeAfterEnd,
  placeBeside,
  presentSong,
  queueOf,
  shuffled,
  songAt,
  withAddress,
  type Queue,
  type Song,
} from './queue.ts'

/** What is played; undefined while there is no music. */
export const queue = signal<Queue | undefined>(undefined)
export const isPlaying = signal(false)
export const place = signal<{ seconds: number; durationSeconds: number }>({ seconds: 0, durationSeconds: 0 })
/** Said to the listener. */
export const problem = signal('')

/** A press of “previous” later in a song leads to its start. */
const RESTART_SECONDS = 3

const audio = new AudioPair()

/** A new address was asked for, because that of the song did not work. Addresses are valid for some hours. */
let renewedId: string | undefined
/** Songs in a row that could not be played. */
let failures = 0

const reports = createProgressReports(audio, {
  onProgress: (played) => musicPage().onProgress(played),
  onStored: () => undefined,
  onRefused(error: Error & { code?: string }) {
    if (error instanceof SignedOut) musicPage().onSignedOut()
    else if (error.code === OUTSIDE_HOURS) stop(error.message)
  },
})

const COMMANDS = { play: resume, pause, next, previous, seek, stop: () => stop() }

/** The elements of the sound, which belong into the document. */
export const audioElements = audio.elements

/** Plays songs from one of them on, in a random order if wanted. A watch group gets the song instead, if the page is in one. */
export function playSongs(songs: readonly Song[], start: number, { isShuffled = false } = {}): void {
  const song = songs[start]
  if (song === undefined || giveToGroup({ id: song.id, name: song.title, type: 'audio' })) return
  failures = 0
  const next = queueOf(songs, start, queue.value?.repeat)
  begin(isShuffled ? shuffled(next, Math.random) : next)
}

/** Adds songs to the end of the queue; plays them if there is none. */
export function enqueueSongs(songs: readonly Song[]): void {
  if (queue.value === undefined) return playSongs(songs, 0)
  queue.value = extended(queue.value, songs)
  prepareNext()
}

export function toggle(): void {
  if (isPlaying.value) pause()
  else resume()
}

function resume(): void {
  if (queue.value !== undefined) void audio.play()
}

export function pause(): void {
  audio.pause()
}

export function next(): void {
  goBeside(1)
}

/** To the start of the song, or to the one before when it has just begun. */
export function previous(): void {
  if (audio.currentTime > RESTART_SECONDS) seek(0)
  else goBeside(-1)
}

export function seek(seconds: number): void {
  audio.currentTime = seconds
  showPlace()
}

/** @param at the place in the queue */
export function playAt(at: number): void {
  if (queue.value !== undefined) begin({ ...queue.value, at })
}

export function toggleShuffle(): void {
  const { value } = queue
  if (value === undefined) return
  queue.value = value.isShuffled ? ordered(value) : shuffled(value, Math.random)
  prepareNext()
}

export function changeRepeat(): void {
  if (queue.value === undefined) return
  queue.value = { ...queue.value, repeat: afterRepeat(queue.value.repeat) }
  prepareNext()
}

/** @param reason said to the listener */
export function stop(reason = ''): void {
  reports.end()
  audio.stop()
  clearMediaSession()
  batch(() => {
    queue.value = undefined
    isPlaying.value = false
    problem.value = reason
  })
}

function goBeside(step: 1 | -1): void {
  const at = queue.value === undefined ? undefined : placeBeside(queue.value, step)
  if (at === undefined) seek(0)
  else playAt(at)
}

function begin(wanted: Queue): void {
  const song = presentSong(wanted)
  if (song === undefined) return
  reports.end()
  renewedId = undefined
  batch(() => {
    queue.value = wanted
    place.value = { seconds: 0, durationSeconds: song.durationSeconds ?? 0 }
    problem.value = ''
  })
  // In the event that ends the song before: what is prepared begins without a gap.
  void audio.start(song.streamUrl)
  reports.begin(song)
  prepareNext()
}

function prepareNext(): void {
  const { value } = queue
  const after = value === undefined ? undefined : placeAfterEnd(value)
  const song = value === undefined || after === undefined ? undefined : songAt(value, after)
  audio.prepare(song?.streamUrl ?? '')
}

function showPlace(): void {
  const { duration, currentTime: seconds } = audio
  const known = Number.isFinite(duration) ? duration : place.value.durationSeconds
  place.value = { seconds, durationSeconds: known }
  showMediaPosition(place.value)
}

function goOn(): void {
  const after = queue.value === undefined ? undefined : placeAfterEnd(queue.value)
  if (after === undefined) isPlaying.value = false
  else playAt(after)
}

/** Asks for a new address once. What cannot be played even so is left out. */
async function recover(): Promise<void> {
  const { value } = queue
  const song = value === undefined ? undefined : presentSong(value)
  if (value === undefined || song === undefined) return
  if (renewedId === song.id) return leaveOut(song)
  renewedId = song.id
  try {
    const { track } = await fetchReply<OneTrack>(`/api/v1/music/tracks/${encodeURIComponent(song.id)}`)
    if (queue.value === undefined || presentSong(queue.value)?.id !== song.id) return
    queue.value = withAddress(queue.value, track.stream_url)
    await audio.start(track.stream_url)
    prepareNext()
  } catch {
    leaveOut(song)
  }
}

function leaveOut(song: Song): void {
  const { value } = queue
  failures += 1
  const after = value === undefined ? undefined : placeBeside(value, 1)
  if (value !== undefined && after !== undefined && failures < value.songs.length) playAt(after)
  else pause()
  problem.value = texts.cannotPlay(song.title)
}

audio.addEventListener('playing', () => {
  failures = 0
  isPlaying.value = true
})
audio.addEventListener('play', () => {
  isPlaying.value = true
  const song = queue.value === undefined ? undefined : presentSong(queue.value)
  // Also after a film, to which the keys belonged meanwhile.
  if (song !== undefined) showMediaSession(song, COMMANDS)
})
audio.addEventListener('pause', () => (isPlaying.value = false))
audio.addEventListener('ended', goOn)
audio.addEventListener('error', () => void recover())
for (const type of ['timeupdate', 'durationchange', 'seeked']) audio.addEventListener(type, showPlace)

registerMusic({
  pause() {
    if (queue.value === undefined) return
    pause()
    clearMediaSession()
  },
  stop,
  leave() {
    reports.leave()
    stop()
  },
  itemId: () => (queue.value === undefined ? undefined : presentSong(queue.value)?.id),
})
