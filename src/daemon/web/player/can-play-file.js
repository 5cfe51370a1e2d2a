/** Codecs that browsers may decode, in the notation of MSE. Films with other codecs are transcoded. */
const VIDEO_CODECS = {
  h264: 'avc1.640028',
  hevc: 'hvc1.1.6.L120.90',
  vp8: 'vp8',
  vp9: 'vp09.00.40.08',
  av1: 'av01.0.08M.08',
}
const AUDIO_CODECS = { aac: 'mp4a.40.2', mp3: 'mp3', opus: 'opus', vorbis: 'vorbis', flac: 'flac' }
const CONTAINERS = { mp4: 'video/mp4', m4v: 'video/mp4', mov: 'video/mp4', webm: 'video/webm' }

/** Whether the browser reports that it can play the file of an item without transcoding. */
export function canPlayFile(video, { stream_url: address, path, streams }) {
  const container = CONTAINERS[(path ?? '').split('.').pop().toLowerCase()]
  if (address === null || container === undefined) return false
  const picture = streams.find((stream) => stream.stream_type === 'video')
  const sound = streams.find((stream) => stream.stream_type === 'audio')
  const codecs = [VIDEO_CODECS[picture?.codec], ...(sound === undefined ? [] : [AUDIO_CODECS[sound.codec]])]
  if (codecs.includes(undefined)) return false
  return video.canPlayType(`${container}; codecs="${codecs.join(', ')}"`) !== ''
}
