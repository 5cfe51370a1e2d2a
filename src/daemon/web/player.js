import { call } from './api.js'

/** What browsers may decode, as the words of MSE; anything else is transcoded. */
const VIDEO_CODECS = {
  h264: 'avc1.640028',
  hevc: 'hvc1.1.6.L120.90',
  vp8: 'vp8',
  vp9: 'vp09.00.40.08',
  av1: 'av01.0.08M.08',
}
const AUDIO_CODECS = { aac: 'mp4a.40.2', mp3: 'mp3', opus: 'opus', vorbis: 'vorbis', flac: 'flac' }
const CONTAINERS = { mp4: 'video/mp4', m4v: 'video/mp4', mov: 'video/mp4', webm: 'video/webm' }

/**
 * Plays items in one video element: the file itself where the browser can, HLS otherwise and when the file turns out not to play.
 * @param {HTMLVideoElement} video
 * @param {{onMode(mode: string): void, onProblem(text: string): void}} listeners
 */
export function createPlayer(video, listeners) {
  let current
  let hls

  video.addEventListener('error', () => {
    if (current === undefined || hls !== undefined || video.error === null) return
    if (current.isDirect) startHls(current, video.currentTime).catch(report)
    else report(new Error('This film cannot be played here.'))
  })

  function report(error) {
    listeners.onProblem(error.message)
  }

  function stop() {
    current = undefined
    hls?.destroy()
    hls = undefined
    video.removeAttribute('src')
    video.load()
  }

  async function start(item) {
    stop()
    const playing = { item, isDirect: canPlayFile(video, item) }
    current = playing
    if (!playing.isDirect) return startHls(playing, 0)
    listeners.onMode('Direct')
    video.src = item.stream_url
    return begin(video)
  }

  async function startHls(playing, fromSeconds) {
    playing.isDirect = false
    listeners.onMode('HLS')
    const { master_url: address } = await call(`/api/v1/media/${playing.item.id}/transcode`, {})
    const { default: Hls } = await import('./hls.js')
    if (current !== playing) return
    if (!Hls.isSupported()) {
      video.src = address
      await begin(video)
      return
    }
    hls = new Hls({ workerPath: '/assets/hls.worker.js', startPosition: fromSeconds })
    hls.on(Hls.Events.ERROR, (_event, error) => {
      if (error.fatal) report(new Error(`The film stopped: ${error.details}.`))
    })
    hls.loadSource(address)
    hls.attachMedia(video)
    await begin(video)
  }

  return { start: (item) => start(item).catch(report), stop }
}

/** Browsers may refuse to begin without a click; the controls are there for it. */
async function begin(video) {
  await video.play().catch(() => {})
}

function canPlayFile(video, { stream_url: address, path, streams }) {
  const container = CONTAINERS[(path ?? '').split('.').pop().toLowerCase()]
  if (address === null || container === undefined) return false
  const picture = streams.find((stream) => stream.stream_type === 'video')
  const sound = streams.find((stream) => stream.stream_type === 'audio')
  const codecs = [VIDEO_CODECS[picture?.codec], ...(sound === undefined ? [] : [AUDIO_CODECS[sound.codec]])]
  if (codecs.includes(undefined)) return false
  return video.canPlayType(`${container}; codecs="${codecs.join(', ')}"`) !== ''
}
