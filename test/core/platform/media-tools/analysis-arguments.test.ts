import t from 'tap'
import { analysisArguments, decoderArguments } from '../../../../src/core/platform/media-tools/analysis-arguments.ts'
import { parseComponents } from '../../../../src/core/platform/media-tools/list-components.ts'

const pictures = { streamIndex: 2, hdrTransfer: null, frames: 'key' } as const
const after = (args: readonly string[]) => args.slice(args.indexOf('-i') + 2)
const before = (args: readonly string[]) => args.slice(0, args.indexOf('-i'))
const valueOf = (args: readonly string[], name: string) => args[args.indexOf(name) + 1]

void t.test('a name has no other meaning than a file, and every limit is before it', (t) => {
  for (const input of ['/-i', '/films/a|b:c.mkv', '/films/%d.mkv', "/films/'\n$(x).mkv", '/concat:/x']) {
    const args = analysisArguments({ input, pictures, sound: 1 })
    t.equal(args.filter((arg) => arg.includes(input)).length, 1)
    t.equal(valueOf(args, '-i'), `file:${input}`)
    for (const limit of ['-protocol_whitelist', '-format_whitelist', '-codec_whitelist', '-max_alloc'])
      t.ok(before(args).includes(limit), limit)
  }
  for (const input of ['', 'a.mkv', '-i', 'http://example.org/a', '/a\0b'])
    t.throws(() => analysisArguments({ input, pictures, sound: 1 }), RangeError, JSON.stringify(input))
  t.end()
})

void t.test('only the requested streams are read and written', (t) => {
  const input = '/a.mkv'
  const sound = analysisArguments({ input, pictures: null, sound: 3 })
  for (const dropped of ['-vn', '-sn', '-dn']) t.ok(before(sound).includes(dropped), dropped)
  t.notOk(before(sound).includes('-an') || sound.includes('-skip_frame:v'))
  t.strictSame(
    after(sound).join(' '),
    '-map 0:3 -vn -sn -dn -af aresample=async=1:first_pts=0 -ac 1 -ar 11025 -c:a pcm_s16le -f chromaprint -fp_format raw pipe:3',
  )
  const video = analysisArguments({ input, pictures, sound: null })
  for (const dropped of ['-an', '-sn', '-dn']) t.ok(before(video).includes(dropped), dropped)
  t.notOk(before(video).includes('-vn'))
  t.equal(valueOf(before(video), '-skip_frame:v'), 'nokey')
  t.strictSame(
    after(video).filter((arg) => arg.startsWith('pipe:')),
    ['pipe:1'],
  )
  const both = analysisArguments({ input, pictures, sound: 3 })
  t.notOk(before(both).includes('-an') || before(both).includes('-vn'))
  t.strictSame(
    both.filter((arg) => arg.startsWith('pipe:')),
    ['pipe:4', 'pipe:1', 'pipe:3'],
  )
  t.end()
})

void t.test('pictures are never later than their time, and scaled before slow filters', (t) => {
  const filters = (request: object) =>
    valueOf(analysisArguments({ input: '/a', pictures: { ...pictures, ...request }, sound: null }), '-vf') ?? ''
  t.match(
    filters({}),
    /^setpts=PTS-gte\(T\\,10\)\*lt\(mod\(T\\,10\)\\,0.1\)\*mod\(T\\,10\)\/TB,fps=1\/10:start_time=0:round=up,scale=/,
  )
  t.match(filters({ frames: 'all' }), /^fps=1\/10:start_time=0:round=up,scale=/)
  t.notMatch(filters({}), /tonemap/)
  const mapped = filters({ hdrTransfer: 'arib-std-b67' })
  t.ok(mapped.indexOf('scale=w=') < mapped.indexOf('zscale=tin=arib-std-b67'))
  t.ok(mapped.indexOf('tonemap') < mapped.indexOf('pad=160:90'))
  const args = analysisArguments({ input: '/a', pictures: { ...pictures, frames: 'all' }, sound: null })
  for (const option of ['-skip_frame:v', '-discard:v', '-skip_loop_filter:v']) t.notOk(args.includes(option), option)
  t.end()
})

void t.test(
  'selected key frames are copied by one program and decoded by another, which opens nothing but its input',
  (t) => {
    const selected = { ...pictures, frames: 'shown_key' } as const
    const reader = analysisArguments({ input: '/a.mkv', pictures: selected, sound: 3 })
    t.strictSame(
      reader.filter((arg) => /^(?:\[f=matroska\])?pipe:/.test(arg)),
      ['pipe:4', '[f=matroska]pipe:1', 'pipe:5', 'pipe:3'],
    )
    t.notOk(reader.includes('-vf') || reader.includes('-skip_frame:v'))
    t.strictSame(
      reader.filter((_, index) => reader[index - 1] === '-map'),
      ['0:2', '0:2', '0:3'],
    )
    const decoder = decoderArguments(selected)
    t.equal(valueOf(decoder, '-i'), 'pipe:0')
    t.equal(valueOf(before(decoder), '-protocol_whitelist'), 'pipe')
    t.equal(valueOf(before(decoder), '-format_whitelist'), 'matroska')
    for (const limit of ['-codec_whitelist', '-max_alloc', '-copyts']) t.ok(before(decoder).includes(limit), limit)
    t.match(valueOf(decoder, '-vf'), /^setpts=.*,fps=1\/10:start_time=0:round=up,/)
    t.end()
  },
)

void t.test('filters, muxers and encoders are parsed from the lists of ffmpeg, and nothing from other text', (t) => {
  const printed =
    ' TSC zscale            V->V       x\n ... tonemap  V->V  y\n  E chromaprint     Chromaprint\n  E mov,mp4 z\n'
  t.strictSame([...parseComponents(printed)], ['zscale', 'tonemap', 'chromaprint', 'mov', 'mp4'])
  const encoders =
    'Encoders:\n V..... = Video\n ------\n VF...D libvpx-vp9   x\r\n V....D h264_nvenc  y (codec h264)\n A....D aac z\n'
  t.strictSame([...parseComponents(encoders)], ['libvpx-vp9', 'h264_nvenc', 'aac'])
  for (const other of ['', 'Filters:\n  T.. = Timeline support\n', ` E ${'a'.repeat(100_000)}`, ' '.repeat(100_000)])
    t.strictSame([...parseComponents(other)], [], other.slice(0, 20))
  t.end()
})
