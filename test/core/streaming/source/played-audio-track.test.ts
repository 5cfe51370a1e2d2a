import t from 'tap'
import {
  choosePlayedAudioTrack,
  setDefaultAudioTrack,
} from '../../../../src/core/streaming/source/played-audio-track.ts'
import { loadFilmSource } from '../../../../src/core/streaming/source/film-source.ts'

function track(index: number, language: string | null, details: Record<string, unknown> = {}) {
  const names = { codec: 'aac', title: null, bitrate: null, width: null, height: null, channels: 2 }
  return { id: '', mediaItemId: '', index, type: 'audio' as const, ...names, language, isDefault: index === 1, details }
}

const STREAMS = [track(1, 'ger'), track(2, 'eng'), track(3, 'eng'), track(4, null)]
const chosen = (language: string | null, audioStreamIndex: number | null = 1) =>
  choosePlayedAudioTrack(STREAMS, { film: { audioStreamIndex }, language })?.streamIndex

void t.test('a file plays its default track unless only another track has the wanted language', (t) => {
  t.equal(chosen(null), 1)
  t.equal(chosen('de'), 1)
  t.equal(chosen('en'), 2, 'the first that has it')
  t.equal(chosen('en', 3), 3, 'the default that has it')
  t.equal(chosen('fr'), 1, 'none has it')
  t.equal(chosen('und'), 1, 'a track of an unknown language is not chosen by that')
  t.equal(chosen('en', null), undefined, 'a film without sound')
  t.equal(choosePlayedAudioTrack(STREAMS, { film: undefined, language: 'en' })?.streamIndex, 2, 'without a picture')
  t.equal(choosePlayedAudioTrack([], { film: undefined, language: 'en' }), undefined)
  t.end()
})

void t.test('a film with another played track has the properties of that track', (t) => {
  const profile = {
    hasAudio: true,
    audioCodec: 'ac3',
    audioSampleRate: 44_100,
    audioStreamIndex: 1,
    audioStartSeconds: 0,
  }
  const picture = { width: 320, height: 180, bitrate: 1, videoStreamIndex: 0, isInterlaced: false, colorTransfer: null }
  const source = { ...profile, ...picture, frameRate: '25', containerStartSeconds: 0, videoStartSeconds: 0 }
  const film = loadFilmSource({ metadata: { source }, fileSeconds: 4, container: 'mkv' })
  if (film === undefined) throw new Error('the profile is not of the stored form')
  const streams = [track(1, 'ger'), track(2, 'eng', { profile: 'HE-AAC', sampleRate: 48_000, startSeconds: 0.5 })]
  const played = choosePlayedAudioTrack(streams, { film, language: 'en' })
  if (played === undefined) throw new Error('no track was chosen')
  t.match(setDefaultAudioTrack(film, played, streams), {
    audioStreamIndex: 2,
    audioCodec: 'aac',
    audioProfile: 'HE-AAC',
    audioChannels: 2,
    audioBitrate: null,
    audioSampleRate: 48_000,
    audioStartSeconds: 0.5,
  })
  const own = choosePlayedAudioTrack(streams, { film, language: null })
  t.equal(own && setDefaultAudioTrack(film, own, streams), film)
  t.end()
})
