import t from 'tap'
import {
  mediaPlaylistName,
  parseStreamFile,
  segmentName,
  subtitleName,
} from '../../../../src/core/streaming/job/segment-name.ts'

void t.test('every written name can be parsed', (t) => {
  t.equal(segmentName('720p', 7), 'seg-v720p-00007.ts')
  t.equal(mediaPlaylistName('720p'), 'media_v720p.m3u8')
  t.strictSame(parseStreamFile('seg-v720p-00007.ts'), { kind: 'segment', rendition: '720p', index: 7 })
  t.strictSame(parseStreamFile('seg-voriginal-99999.ts'), { kind: 'segment', rendition: 'original', index: 99_999 })
  t.strictSame(parseStreamFile('media_v720p.m3u8'), { kind: 'media', rendition: '720p' })
  t.strictSame(parseStreamFile('master.m3u8'), { kind: 'master' })
  t.equal(segmentName(null, 7), 'seg-00007.ts', 'of a job without a ladder')
  t.equal(mediaPlaylistName(null), 'media_0.m3u8')
  t.strictSame(parseStreamFile('seg-00007.ts'), { kind: 'segment', rendition: null, index: 7 })
  t.strictSame(parseStreamFile('media_0.m3u8'), { kind: 'media', rendition: null })
  t.strictSame(parseStreamFile(subtitleName(12)), { kind: 'subtitle', index: 12, part: null })
  t.strictSame(parseStreamFile(subtitleName(12, 3)), { kind: 'subtitle', index: 12, part: 3 })
  t.end()
})

void t.test('any other name is rejected', (t) => {
  const hostile = [
    '',
    'seg-v720P-00001.ts',
    'seg-v-00001.ts',
    'seg-v720p-1.ts',
    'seg-v720p-000001.ts',
    'seg-v720p-0000a.ts',
    'seg-v720p-00001.ts.part',
    'seg-v720p-00001.TS',
    'seg-v720p-00001',
    'seg-v720p--0001.ts',
    'seg-v720p-00001.ts\n',
    'seg-v720p-００００１.ts',
    'seg-v720p/../x-00001.ts',
    'seg-v../../etc-00001.ts',
    `seg-v${'a'.repeat(33)}-00001.ts`,
    'seg-1.ts',
    'sub-01.vtt',
    'sub-1-.vtt',
    'sub-1-01.vtt',
    'sub-1-1000.vtt',
    'sub-1--1.vtt',
    'sub-1-1-1.vtt',
    'sub--1.vtt',
    'sub-10000.vtt',
    'seg-000001.ts',
    'media_1.m3u8',
    'media_00.m3u8',
    'media_v.m3u8',
    'media_v720p.m3u8/',
    'media_v720p.m3u8\0.ts',
    'master.m3u8\0.ts',
    '../master.m3u8',
    '..%2fmaster.m3u8',
    'MASTER.m3u8',
    'job.json',
    '.part',
    '.',
    '..',
    '/etc/passwd',
    '__proto__',
  ]
  for (const name of hostile) t.equal(parseStreamFile(name), undefined, JSON.stringify(name))
  t.end()
})
