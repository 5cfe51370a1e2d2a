import { execFileSync } from 'node:child_process'
import t from 'tap'
import { parseVideoEncoders } from '../../../../src/core/platform/media-tools/video-encoders.ts'

void t.test('video encoders are read from the list with their codecs', (t) => {
  const list = [
    'Encoders:',
    ' V..... = Video',
    ' ------',
    ' V....D a64multi             Multicolor charset for Commodore 64 (codec a64_multi)',
    ' VF...D ffv1                 FFmpeg video codec #1',
    ' V....D h264_nvenc           NVIDIA NVENC H.264 encoder (codec h264)',
    ' V..... libsvtav1            SVT-AV1(Scalable Video Technology for AV1) encoder (codec av1)\r',
    ' A....D aac                  AAC (Advanced Audio Coding)',
    ' S..... ass                  ASS (Advanced SubStation Alpha) subtitle',
    ' V....D ',
    'V....D h264_vaapi no space before the flags',
    ' V....D two words',
    ` V....D ${'x'.repeat(100)} name that is too long`,
  ]
  t.strictSame(parseVideoEncoders(list.join('\n')), [
    { name: 'a64multi', codec: 'a64_multi' },
    { name: 'ffv1', codec: 'ffv1' },
    { name: 'h264_nvenc', codec: 'h264' },
    { name: 'libsvtav1', codec: 'av1' },
    { name: 'two', codec: 'two' },
  ])
  t.strictSame(parseVideoEncoders(''), [])
  t.strictSame(parseVideoEncoders(' V....D x '.repeat(10_000)).length, 1, 'one line')
  t.end()
})

void t.test('the list of this ffmpeg is read completely', (t) => {
  const list = execFileSync('ffmpeg', ['-hide_banner', '-encoders'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = list.split('\n').filter((line) => /^ V\S{5} (?!=)/.test(line))
  const encoders = parseVideoEncoders(list)
  t.equal(encoders.length, lines.length)
  t.match(
    encoders.find(({ name }) => name === 'libx264'),
    { codec: 'h264' },
  )
  t.end()
})
