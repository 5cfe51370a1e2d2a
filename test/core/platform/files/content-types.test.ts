import t from 'tap'
import { contentTypeOfFile, mediaFileKind } from '../../../../src/core/platform/files/index.ts'

const ROWS: [path: string, contentType: string, kind: string | undefined][] = [
  ['/films/Film (2001)/film.mp4', 'video/mp4', 'video'],
  ['film.MKV', 'video/x-matroska', 'video'],
  ['seg-v720p-00001.ts', 'video/mp2t', 'video'],
  ['song.flac', 'audio/flac', 'audio'],
  ['book.m4b', 'audio/mp4', 'audio'],
  ['picture.JPG', 'image/jpeg', 'photo'],
  ['picture.DNG', 'image/x-adobe-dng', 'photo'],
  ['metadata.opf', 'application/oebps-package+xml', 'sidecar'],
  ['book.epub', 'application/epub+zip', 'book'],
  ['film.en.srt', 'application/x-subrip', 'subtitle'],
  ['Author/metadata.json', 'application/json; charset=utf-8', 'sidecar'],
  ['DESC.TXT', 'application/octet-stream', 'sidecar'],
  ['notes.txt', 'application/octet-stream', undefined],
  ['master.m3u8', 'application/vnd.apple.mpegurl', undefined],
  ['no-extension', 'application/octet-stream', undefined],
  ['.mp4', 'application/octet-stream', undefined],
  ['trailing.', 'application/octet-stream', undefined],
  ['film.mp4.part', 'application/octet-stream', undefined],
  ['evil.constructor', 'application/octet-stream', undefined],
  ['evil.__proto__', 'application/octet-stream', undefined],
]

void t.test('content type and media kind follow the last extension', (t) => {
  for (const [path, contentType, kind] of ROWS) {
    t.equal(contentTypeOfFile(path), contentType, `${path} is sent as ${contentType}`)
    t.equal(mediaFileKind(path), kind, `${path} is ${kind ?? 'not media'}`)
  }
  t.end()
})
