import { recoverFromErrors } from '../player/hls-recovery.js'
import { formatDuration } from '../listen/format-duration.js'
import { SEGMENT_POLICY } from '../player/segment-policy.ts'
import { callAsGuest } from './guest-api.js'
import { saveLink } from './save-link.js'

/** Types of files that browsers may play. Others are converted. */
const TYPES = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
}

/**
 * A list of songs that are played one after the other.
 * @param {{list: HTMLElement, bar: HTMLElement, audio: HTMLAudioElement}} parts `bar` contains `#song-title` and `#song-problem`
 * @param {(id: string) => string} addressOf the address of an item of the link
 */
export function createSongs({ list, bar, audio }, addressOf) {
  const [title, problem] = ['title', 'problem'].map((name) => bar.querySelector(`#song-${name}`))
  let songs = []
  let hls
  /** The index of the song that was chosen last. */
  let current = -1

  async function play(index) {
    const song = songs[index]
    if (song === undefined) return
    current = index
    stop()
    bar.hidden = false
    problem.textContent = ''
    title.textContent = nameOf(song)
    for (const [place, entry] of [...list.children].entries())
      entry.firstElementChild.setAttribute('aria-current', String(place === index))
    try {
      const { stream_url: address, container } = await callAsGuest(`${addressOf(song.id)}/playback`)
      if (current !== index) return
      const isDirect = address !== null && audio.canPlayType(TYPES[container] ?? '') !== ''
      if (isDirect) audio.src = address
      else await stream(song, index)
      await audio.play().catch(() => {})
    } catch (error) {
      problem.textContent = error.message
    }
  }

  async function stream(song, index) {
    const job = await callAsGuest(`${addressOf(song.id)}/transcode`, {})
    const { default: Hls } = await import('../hls.js')
    if (current !== index) return
    if (!Hls.isSupported()) {
      audio.src = job.master_url
      return
    }
    hls = new Hls({ workerPath: '/assets/hls.worker.js', fragLoadPolicy: SEGMENT_POLICY })
    recoverFromErrors(hls, Hls, {
      onGone: () => void tellEnd(index, 'The server does not send this song any more.'),
      onProblem: (details) => (problem.textContent = `The song stopped: ${details}.`),
    })
    hls.loadSource(job.master_url)
    hls.attachMedia(audio)
  }

  /** The buffered rest is not played. The link may have ended: the reason is in the answer of the server. */
  async function tellEnd(index, other) {
    stop()
    let reason = other
    try {
      await callAsGuest(`${addressOf(songs[index].id)}/playback`)
    } catch (error) {
      reason = error.message
    }
    if (current === index) problem.textContent = reason
  }

  function stop() {
    hls?.destroy()
    hls = undefined
    audio.removeAttribute('src')
    audio.load()
  }

  function entryOf(song, index) {
    const entry = document.createElement('li')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'song'
    const [name, length] = [document.createElement('span'), document.createElement('span')]
    name.textContent = nameOf(song)
    length.className = 'facts'
    length.textContent = song.duration_seconds === null ? '' : formatDuration(song.duration_seconds)
    button.append(name, length)
    button.addEventListener('click', () => void play(index))
    entry.append(...[button, saveLink(song)].filter((part) => part !== undefined))
    return entry
  }

  audio.addEventListener('error', () => {
    if (hls === undefined && audio.error !== null && audio.hasAttribute('src'))
      void tellEnd(current, 'This song cannot be played here.')
  })
  audio.addEventListener('ended', () => void play(current + 1))

  return {
    /** The link has ended: what is buffered is not played. */
    end(reason) {
      stop()
      problem.textContent = reason
    },
    offer(wanted) {
      songs = wanted
      list.replaceChildren(...songs.map(entryOf))
    },
  }
}

const nameOf = ({ title, artist }) => (artist === null ? title : `${title} – ${artist}`)
