import t from 'tap'
import { formatCueTime, parseCueTime, parseTiming } from '../../../src/core/subtitles/formats/cue-times.ts'
import { MAX_CUES } from '../../../src/core/subtitles/formats/cue.ts'
import { splitLines } from '../../../src/core/subtitles/formats/split-lines.ts'
import { readCues } from '../../../src/core/subtitles/formats/read-cues.ts'
import { writeWebVtt } from '../../../src/core/subtitles/formats/write-webvtt.ts'

/** A file as players receive it. */
async function vtt(text: string, shiftMilliseconds = 0): Promise<string> {
  return writeWebVtt(await readCues(text), { shiftMilliseconds, streamClockTicks: null })
}

/** The cues of a file, without times. */
async function texts(text: string): Promise<string[]> {
  return (await readCues(text)).map((cue) => cue.text)
}

/** A SubRip file of one cue. */
const srt = (text: string): string => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`

/** A script of one event. */
const ass = (text: string, style = 'Default'): string =>
  [
    '[Script Info]',
    '; made by hand',
    '[V4+ Styles]',
    'Format: Name, Bold, Italic, Alignment',
    'Style: Default,0,0,2',
    'Style: Sign,0,-1,9',
    'Style: Loud,-1,0,2',
    'Style: Heavy,800,-1,2',
    'Style: Light,300,0,2',
    '[Events]',
    'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
    'Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,not said',
    `Dialogue: 0,0:00:01.00,0:00:02.00,${style},Name,0,0,0,,${text}`,
  ].join('\n')

void t.test('times of every form are read, and written with as many hours as there are', (t) => {
  const cases: [text: string, milliseconds: number | undefined][] = [
    ['00:00:01,500', 1500],
    ['00:00:01.500', 1500],
    ['00:00:01:500', 1500],
    ['0:01:02.50', 62_500],
    ['01:02.5', 62_500],
    ['1:02:03', 3_723_000],
    ['-00:00:01,000', -1000],
    ['123:59:59,999', 446_399_999],
    ['00:60:00,000', undefined],
    ['00:00:60,000', undefined],
    ['99999:00:00,000', undefined],
    ['1,000', undefined],
    ['::', undefined],
    ['1:2:3:4:5', undefined],
    ['0x1:00:00', undefined],
    ['', undefined],
  ]
  for (const [text, milliseconds] of cases) t.equal(parseCueTime(text), milliseconds, text)
  t.equal(formatCueTime(446_399_999), '123:59:59.999')
  t.equal(formatCueTime(0), '00:00:00.000')
  t.match(parseTiming('  00:00:01,000 -->  00:00:02,000  X1:1 Y1:2'), { settings: 'X1:1 Y1:2' })
  for (const line of [
    '00:01 -> 00:02',
    'x 00:00:01,000 --> 00:00:02,000',
    '--> 00:00:01,000',
    `${'0'.repeat(1e5)} --> 1`,
  ]) {
    t.equal(parseTiming(line), undefined)
  }
  t.end()
})

void t.test('every kind of line terminator is supported', (t) => {
  t.strictSame([...splitLines('a\nb\r\nc\rd\n\ne')], ['a', 'b', 'c', 'd', '', 'e'])
  t.strictSame([...splitLines('')], [''])
  t.strictSame([...splitLines('\r\n')], ['', ''])
  t.end()
})

void t.test('SubRip in practice: byte order marks, missing numbers, empty lines, carriage returns', async (t) => {
  t.equal(
    await vtt(
      '\u{FEFF}1\r\n00:00:01,000 --> 00:00:02,000\r\nOne\r\n\r\nmore\r\n\r\n2\r\n00:00:03,000 --> 100:00:04,000\r\nTwo\r\n',
    ),
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nOne\nmore\n\n00:00:03.000 --> 100:00:04.000\nTwo\n',
  )
  t.strictSame(await texts('00:00:01,000 --> 00:00:02,000\n42\n\n00:00:03,000 --> 00:00:04,000\nB'), ['42', 'B'])
  t.equal(await vtt('no subtitles at all'), 'WEBVTT\n')
  t.equal(await vtt(''), 'WEBVTT\n')
})

void t.test('overlapping cues are kept in order of time; empty, reversed and duplicate ones are dropped', async (t) => {
  const text = [
    '1\n00:00:05,000 --> 00:00:09,000\nlate',
    '2\n00:00:01,000 --> 00:00:08,000\nlong',
    '3\n00:00:02,000 --> 00:00:02,000\nnever',
    '4\n00:00:03,000 --> 00:00:02,000\nbackward',
    '5\n00:00:03,000 --> 00:00:04,000\n<i> </i>\n',
    '6\n00:00:01,000 --> 00:00:08,000\nlong',
  ].join('\n\n')
  t.strictSame(await texts(text), ['long', 'late'])
})

void t.test('a shift moves every cue; cues that end before zero are dropped, earlier starts become zero', async (t) => {
  const text = '1\n00:00:01,000 --> 00:00:02,000\nA\n\n2\n00:00:02,500 --> 00:00:04,000\nB\n'
  t.equal(await vtt(text, -3000), 'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nB\n')
  t.match(await vtt(text, 500), /00:00:01\.500 --> 00:00:02\.500/)
})

void t.test(
  'markup that WebVTT supports is kept, presentational markup is dropped, anything else is text',
  async (t) => {
    const cases: [text: string, expected: string][] = [
      ['<i>a</i> <b>b</b> <u>c</u>', '<i>a</i> <b>b</b> <u>c</u>'],
      ['<I>a</I>', '<i>a</i>'],
      ['<font color="#ff0000" size=3>red</font>', 'red'],
      ['<i>open', '<i>open</i>'],
      ['<b><i>x</b>y</i>', '<b><i>x</i></b><i>y</i>'],
      ['closed</i>', 'closed'],
      ['a --> b', 'a --&gt; b'],
      ['I <3 you & <me>', 'I &lt;3 you &amp; &lt;me&gt;'],
      [
        'AT&amp;T &lt;b&gt; &#65; &nbsp;x &unknown; &#1114112;',
        'AT&amp;T &lt;b&gt; A \u{A0}x &amp;unknown; &amp;#1114112;',
      ],
      ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
      ['a<br>b', 'a\nb'],
      [String.raw`{\i1}a{\i0}`, 'a'],
      ['{not an override}', '{not an override}'],
      ['nul\u{0}, bell\u{7}, escape\u{1B}', 'nul, bell, escape'],
      ['&#0;&#xD800;z', '\u{FFFD}z'],
    ]
    for (const [text, expected] of cases) t.strictSame(await texts(srt(text)), [expected], text)
    t.match(await vtt(srt(String.raw`{\an8}up`)), /02\.000 line:0\nup\n/)
    t.match(await vtt(srt(String.raw`{\an1}left`)), /position:5% align:left\nleft\n/)
  },
)

void t.test('WebVTT keeps speakers, ruby and settings, and drops notes, styles and inner timestamps', async (t) => {
  const text = [
    'WEBVTT - with a title',
    'X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n',
    'STYLE\n::cue { color: red }\n',
    'NOTE 00:00:01.000 is no cue\n',
    'an id\n00:01.000 --> 00:02.000 line:10%,start position:20% region:top align:left evil:"x"',
    '<v Fred & Ann>Hi <c.red>you</c></v> <00:01.500><lang de>da</lang>',
    '<ruby>漢<rt>kan</rt></ruby>\n',
    '00:03.000 --> 00:04.000\nno empty line\n\nnot part of it',
  ].join('\n')
  t.equal(
    await vtt(text),
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000 line:10%,start position:20% align:left\n' +
      '<v Fred &amp; Ann>Hi you</v> da\n<ruby>漢<rt>kan</rt></ruby>\n\n00:00:03.000 --> 00:00:04.000\nno empty line\n',
  )
})

void t.test('SubStation: commas, breaks, styles, positions, drawings and comments', async (t) => {
  const cases: [text: string, expected: string][] = [
    ['Well, yes, no', 'Well, yes, no'],
    [String.raw`a\Nb\nc\hd`, 'a\nb c\u{A0}d'],
    [String.raw`{\i1}a{\i0}b{\b700}c{\b400}d`, '<i>a</i>b<b>c</b>d'],
    [String.raw`{\fnArial\fs20\c&HFF&\blur3\bord2}x`, 'x'],
    [String.raw`{\i1\b1}a{\r}b`, '<i><b>a</b></i>b'],
    ['{a comment}x', 'x'],
    [String.raw`{\p1}m 0 0 l 100 100{\p0}seen`, 'seen'],
    ['a --> b & <c>', 'a --&gt; b &amp; &lt;c&gt;'],
    [String.raw`\N\Nx\N\N`, 'x'],
  ]
  for (const [text, expected] of cases) t.strictSame(await texts(ass(text)), [expected], text)
  t.strictSame(await texts(ass(String.raw`{\p1}m 0 0 l 100 100`)), [])
  const shown = async (text: string, style: string) => (await texts(ass(text, style)))[0]
  t.equal(await shown('loud', 'Loud'), '<b>loud</b>', 'of the style')
  t.equal(await shown('heavy', 'Heavy'), '<b><i>heavy</i></b>')
  t.equal(await shown('light', 'Light'), 'light')
  t.equal(
    await shown(String.raw`a{\b0}b{\b}c{\b400}d{\r}e`, 'Loud'),
    '<b>a</b>b<b>c</b>d<b>e</b>',
    'taken back and given again',
  )
  t.match(await vtt(ass('sign', 'Sign')), /line:0 position:95% align:right\n<i>sign<\/i>\n/)
  t.match(await vtt(ass(String.raw`{\an5\pos(1,2)}{\an8}mid`)), /line:50%\nmid\n/)
  t.match(await vtt(ass(String.raw`{\a6}old`)), /line:0\nold\n/)
  const old =
    '[V4 Styles]\nFormat: Name, Alignment\nStyle: Top,6\n[Events]\nFormat: Marked, Start, End, Style, Text\nDialogue: Marked=0,0:00:01.00,0:00:02.00,*Top,up'
  t.match(await vtt(old), /line:0\nup\n/)
  t.strictSame(await texts('[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,no format line'), ['no format line'])
  t.strictSame(await texts('[Events]\nFormat: Text\nDialogue: nothing else\nFormat:\nDialogue: x'), [])
})

void t.test('hostile files are bounded in time and output', async (t) => {
  const mebibyte = 1024 * 1024
  const hostile: Record<string, string> = {
    'line ends only': '\n'.repeat(4 * mebibyte),
    'carriage returns only': '\r'.repeat(4 * mebibyte),
    'one line': 'x'.repeat(4 * mebibyte),
    'one cue': srt('word '.repeat(mebibyte)),
    'tags that never close': srt('<i'.repeat(mebibyte)),
    'tags that only open': srt('<b><i><u><ruby><rt>'.repeat(100_000)),
    braces: srt('{\\'.repeat(mebibyte)),
    entities: srt('&'.repeat(mebibyte)),
    'open braces in a script': ass('{'.repeat(mebibyte)),
    'overrides in a script': ass(`{${'\\b1'.repeat(300)}}`.repeat(1000)),
    commas: ass(','.repeat(mebibyte)),
    styles: `[V4+ Styles]\n${'Style: a,1,2\n'.repeat(200_000)}`,
    arrows: '-->\n'.repeat(mebibyte),
  }
  for (const [name, text] of Object.entries(hostile)) {
    const written = await vtt(text)
    t.ok(written.length < 100_000, `${name}: ${written.length} characters`)
  }
  const many = Array.from({ length: MAX_CUES + 10 }, (_, index) => `00:00:01,000 --> 00:00:02,000\n${index}\n`).join(
    '\n',
  )
  t.equal((await readCues(many)).length, MAX_CUES)
})
