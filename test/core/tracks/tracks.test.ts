import t from 'tap'
import {
  languageName,
  languageTag,
  listAudioTracks,
  listChapters,
  uniqueLabel,
} from '../../../src/core/tracks/index.ts'
import { audioStream } from '../../support/audio-stream.ts'

void t.test('languages are BCP 47 tags in their shortest form, for any value in a file', (t) => {
  const cases: [given: string | null, tag: string, name: string | null][] = [
    ['eng', 'en', 'English'],
    ['ger', 'de', 'German'],
    ['deu', 'de', 'German'],
    [' FRE ', 'fr', 'French'],
    ['pt-br', 'pt-BR', 'Brazilian Portuguese'],
    ['zh-hans-cn', 'zh', 'Chinese'],
    ['German', 'de', 'German'],
    ['und', 'und', null],
    ['mul', 'mul', 'Multiple languages'],
    ['xyz', 'und', null],
    ['x'.repeat(1000), 'und', null],
    ['', 'und', null],
    [null, 'und', null],
  ]
  for (const [given, tag, name] of cases) {
    t.equal(languageTag(given), tag, String(given).slice(0, 20))
    t.equal(languageName(tag), name)
  }
  t.end()
})

void t.test('audio tracks have an order, one default, and distinct labels', (t) => {
  const streams = [
    audioStream(0, { type: 'video' }),
    audioStream(1, { language: 'eng', channels: 6, details: { channelLayout: '5.1(side)' } }),
    audioStream(2, { language: 'eng', channels: 6, isDefault: true }),
    audioStream(3, { language: 'ger', title: 'Kommentar', isDefault: true }),
    audioStream(4, { channels: null }),
    audioStream(5, { channels: 12, details: { channelLayout: '' } }),
  ]
  t.match(listAudioTracks({ streams }), [
    { index: 0, streamIndex: 1, language: 'en', label: 'English · 5.1', channelLayout: '5.1', isDefault: false },
    { index: 1, streamIndex: 2, label: 'English · 5.1 (2)', isDefault: true },
    { index: 2, streamIndex: 3, language: 'de', label: 'German · stereo · Kommentar', isDefault: false },
    { index: 3, language: 'und', label: 'Track 4', channelLayout: null },
    { index: 4, label: 'Track 5 · 12 channels' },
  ])
  t.match(listAudioTracks({ streams: [audioStream(1), audioStream(2)] }), [{ isDefault: true }, { isDefault: false }])
  t.strictSame(listAudioTracks({ streams: [] }), [])
  t.end()
})

void t.test('a duplicate label gets a number', (t) => {
  const taken = new Set<string>()
  t.strictSame(
    ['a', 'a', 'a (2)', 'a'].map((label) => uniqueLabel(label, taken)),
    ['a', 'a (2)', 'a (2) (2)', 'a (3)'],
  )
  t.end()
})

void t.test('a chapter without title has a number', (t) => {
  const chapters = [
    { startSeconds: 0, endSeconds: 1, title: null },
    { startSeconds: 1, endSeconds: 2, title: 'Two' },
  ]
  t.match(listChapters({ chapters, fileSeconds: 2 }, []), [{ title: 'Chapter 1' }, { title: 'Two', startSeconds: 1 }])
  t.end()
})
