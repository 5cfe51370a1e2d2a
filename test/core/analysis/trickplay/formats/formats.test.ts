import t from 'tap'
import { writeBif } from '../../../../../src/core/analysis/trickplay/formats/bif.ts'
import { writeImagePlaylist } from '../../../../../src/core/analysis/trickplay/formats/image-playlist.ts'
import { readIndexXml, writeIndexXml } from '../../../../../src/core/analysis/trickplay/formats/index-xml.ts'
import { writeStoryboard } from '../../../../../src/core/analysis/trickplay/formats/storyboard-vtt.ts'
import { parseXml } from '../strict-xml.ts'

const picture = (index: number) => ({
  index,
  seconds: index * 10,
  offsetBytes: 1000 + index * 50,
  lengthBytes: 50,
})

void t.test('the index is well-formed XML with one element for each picture (XM-01)', (t) => {
  for (const count of [0, 1, 33, 1000]) {
    const pictures = Array.from({ length: count }, (_, index) => picture(index))
    const text = writeIndexXml(pictures)
    const root = parseXml(text)
    t.match(root, { name: 'ThumbList', attributes: {} })
    const [thumbs] = root.children
    t.equal(root.children.length, 1)
    t.equal(thumbs?.name, 'Thumbs')
    t.strictSame(
      thumbs?.children.map(({ name, attributes }) => [name, attributes]),
      pictures.map(({ index, seconds, offsetBytes, lengthBytes }) => [
        'Thumb',
        { index: `${index}`, time: `${seconds}`, offset: `${offsetBytes}`, length: `${lengthBytes}` },
      ]),
    )
    t.strictSame(readIndexXml(text), pictures)
  }
  t.end()
})

void t.test('an incomplete or different index is not read', (t) => {
  const text = writeIndexXml([picture(0), picture(1)])
  for (let end = 0; end < text.length; end += 1) t.equal(readIndexXml(text.slice(0, end)), undefined, `${end}`)
  for (const other of [
    text.replace('index="1"', 'index="7"'),
    text.replace('time="10"', 'time="-1"'),
    text.replace('offset="1000"', `offset="${'9'.repeat(100_000)}"`),
    text.replace('length="50"', 'length="5e9"'),
    text.replaceAll('"', "'"),
    `${text} `,
    '\0',
  ]) {
    t.equal(readIndexXml(other), undefined)
  }
  t.end()
})

void t.test('the strict reader of the tests refuses text that is not XML', (t) => {
  for (const text of [
    '<a>',
    '<a></b>',
    '<a b=c/>',
    '<a b="&"/>',
    '<a b="<"/>',
    '<a/><b/>',
    '<a b="1" b="2"/>',
    '<a>&x</a>',
  ])
    t.throws(() => parseXml(text), text)
  t.end()
})

void t.test('a storyboard names a part of a grid for each time', (t) => {
  const cues = [
    { startSeconds: 0, endSeconds: 10, url: '/g.jpg?exp=1&sig=a', x: 0, y: 0 },
    { startSeconds: 3599.9996, endSeconds: 36_000.5, url: '/h.jpg', x: 1120, y: 270 },
  ]
  t.equal(
    writeStoryboard(cues),
    'WEBVTT\n\n00:00:00.000 --> 00:00:10.000\n/g.jpg?exp=1&sig=a#xywh=0,0,160,90\n' +
      '\n01:00:00.000 --> 10:00:00.500\n/h.jpg#xywh=1120,270,160,90\n',
  )
  t.equal(writeStoryboard([]), 'WEBVTT\n')
  t.end()
})

void t.test('a BIF file has the offset of each picture, and the end of the last', (t) => {
  const jpegs = ['one', 'second', ''].map((text) => Buffer.from(text))
  const bytes = writeBif(jpegs.map((jpeg, index) => ({ seconds: index * 10, jpeg })))
  t.equal(bytes.subarray(0, 8).toString('latin1'), '\x89BIF\r\n\x1a\n')
  t.strictSame(
    [8, 12, 16].map((at) => bytes.readUInt32LE(at)),
    [0, 3, 1000],
  )
  t.ok(bytes.subarray(20, 64).every((byte) => byte === 0))
  for (const [index, jpeg] of jpegs.entries()) {
    const [time, start, end] = [0, 4, 12].map((at) => bytes.readUInt32LE(64 + index * 8 + at))
    t.equal(time, index * 10)
    t.strictSame(bytes.subarray(start, end), jpeg)
  }
  t.equal(bytes.readUInt32LE(64 + 3 * 8), 0xff_ff_ff_ff)
  t.equal(bytes.readUInt32LE(64 + 3 * 8 + 4), bytes.length)
  t.equal(writeBif([]).length, 72)
  t.end()
})

void t.test('an image playlist has a grid for each entry and its layout', (t) => {
  const text = writeImagePlaylist([
    { durationSeconds: 320, url: 'a.jpg' },
    { durationSeconds: 12.5, url: 'b.jpg' },
  ])
  t.match(text, /^#EXTM3U\n/)
  t.match(text, /\n#EXT-X-TARGETDURATION:320\n/)
  t.match(text, '#EXTINF:12.500,\n#EXT-X-TILES:RESOLUTION=160x90,LAYOUT=8x4,DURATION=10\nb.jpg\n#EXT-X-ENDLIST\n')
  t.end()
})
