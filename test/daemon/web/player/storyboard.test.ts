import t from 'tap'

type Picture = { start: number; end: number; address: string; x: number; y: number; width: number; height: number }
type Storyboard = {
  parseStoryboard: (text: string, base: URL) => Picture[]
  pictureAt: (pictures: readonly Picture[], seconds: number) => Picture | undefined
}

// The pages of the browser are JavaScript without type declarations.
const path = new URL('../../../../src/daemon/web/player/storyboard.js', import.meta.url).href
const { parseStoryboard, pictureAt } = (await import(path)) as Storyboard

const BASE = new URL('https://films.example/trickplay/7/storyboard.vtt?signature=x')
const cue = (times: string, place: string) => `${times}\n${place}\n`

void t.test('cues become pictures, with addresses relative to the storyboard', (t) => {
  const text = [
    'WEBVTT\n',
    cue('00:00.000 --> 00:10.000', 'thumb-0.jpg?signature=y#xywh=0,0,160,90'),
    `7\n${cue('01:02:03.500 --> 01:02:13.500 align:start', '/other/thumb-1.jpg#xywh=160,90,160,90')}`,
  ].join('\n')
  const expected = [
    {
      start: 0,
      end: 10,
      address: 'https://films.example/trickplay/7/thumb-0.jpg?signature=y',
      x: 0,
      y: 0,
      width: 160,
      height: 90,
    },
    {
      start: 3723.5,
      end: 3733.5,
      address: 'https://films.example/other/thumb-1.jpg',
      x: 160,
      y: 90,
      width: 160,
      height: 90,
    },
  ]
  t.strictSame(parseStoryboard(text, BASE), expected)
  t.strictSame(parseStoryboard(text.replaceAll('\n', '\r\n'), BASE), expected)
  t.end()
})

void t.test('cues without a place, of another origin, or damaged are ignored', (t) => {
  const times = '00:00.000 --> 00:10.000'
  const place = 'a.jpg#xywh=0,0,160,90'
  const damaged = [
    cue(times, 'a.jpg'),
    cue(times, 'a.jpg#xywh=0,0,0,90'),
    cue(times, 'a.jpg#xywh=0,0,160'),
    cue(times, 'a.jpg#xywh=-1,0,160,90'),
    cue(times, 'https://elsewhere.example/a.jpg#xywh=0,0,160,90'),
    cue(times, 'javascript:alert(1)#xywh=0,0,160,90'),
    cue(times, 'data:image/png;base64,AA==#xywh=0,0,160,90'),
    cue(times, 'https://[#xywh=0,0,160,90'),
    cue('0:0.0 --> 1', place),
    cue('00:00.000', place),
    times,
    '',
    '<html></html>',
  ]
  for (const text of damaged) t.strictSame(parseStoryboard(`WEBVTT\n\n${text}`, BASE), [], text)
  t.strictSame(parseStoryboard(`${'9'.repeat(100_000)}\n${'#xywh='.repeat(20_000)}`, BASE), [])
  t.end()
})

void t.test('the picture of a position is the last one at or before it', (t) => {
  const pictures = [0, 10, 20, 40].map((start) => ({ start }) as Picture)
  const starts = [0, 9.99, 10, 39, 40, 1e9].map((seconds) => pictureAt(pictures, seconds)?.start)
  t.strictSame(starts, [0, 0, 10, 20, 40, 40])
  t.equal(pictureAt(pictures, -1), undefined)
  t.equal(pictureAt([], 5), undefined)
  t.end()
})
