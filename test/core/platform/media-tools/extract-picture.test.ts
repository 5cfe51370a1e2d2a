import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { extractPicture } from '../../../../src/core/platform/media-tools/extract-picture.ts'
import { createIsolation } from '../../../../src/core/platform/spawn/index.ts'
import { plain } from '../../../support/generated-pictures.ts'
import { sampleMedia } from '../../../support/media.ts'

const FFMPEG = { program: 'ffmpeg', commonArguments: ['-nostdin', '-loglevel', 'error'], isolation: createIsolation() }
const LIMITS = { timeoutSeconds: 300, maxBytes: 1_000_000 }

/** A film with a file attached as a picture; its third stream. */
async function filmWith(folder: string, picture: Buffer): Promise<string> {
  const [attached, film] = [join(folder, 'attached.jpg'), join(folder, 'film.mkv')]
  writeFileSync(attached, picture)
  const args = ['-loglevel', 'error', '-y', '-i', await sampleMedia('film-tiny-mp4'), '-c', 'copy']
  execFileSync('ffmpeg', [...args, '-attach', attached, '-metadata:s:t', 'mimetype=image/jpeg', film])
  return film
}

void t.test('an attached picture is extracted unchanged, and one above the size limit is not', async (t) => {
  const picture = await plain(200, 300, 'green').jpeg().toBuffer()
  const film = await filmWith(t.testdir({}), picture)
  const streams = execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'stream=index', '-of', 'csv=p=0', film])
  const streamIndex = streams.toString().trim().split('\n').length - 1
  const taken = await extractPicture(FFMPEG, { input: film, streamIndex }, LIMITS)
  t.strictSame(taken, { kind: 'taken', bytes: picture })
  t.strictSame(
    await extractPicture(FFMPEG, { input: film, streamIndex: 9 }, LIMITS),
    { kind: 'none' },
    'no such stream',
  )
  const large = await filmWith(t.testdir({}), Buffer.concat([picture, Buffer.alloc(LIMITS.maxBytes)]))
  t.strictSame(await extractPicture(FFMPEG, { input: large, streamIndex }, LIMITS), { kind: 'none' }, 'too large')
})

void t.test(
  'the picture is read from a pipe; a run without output, with a failure or a disk error has none',
  async (t) => {
    const folder = t.testdir({})
    const run = (script: string) => {
      const program = join(folder, 'fake-program')
      writeFileSync(program, `#!/bin/sh\n${script}\n`)
      chmodSync(program, 0o755)
      return extractPicture({ ...FFMPEG, program }, { input: '/films/a.mkv', streamIndex: 3 }, LIMITS)
    }
    t.match(await run(`printf '%s\\0' "$@" > ${folder}/words; echo x`), { kind: 'taken', bytes: Buffer.from('x\n') })
    const args = readFileSync(join(folder, 'words'), 'utf8').split('\0').slice(0, -1)
    t.strictSame(args.slice(0, FFMPEG.commonArguments.length), FFMPEG.commonArguments)
    const picture = '-map 0:3 -c copy -frames:v 1 -f image2pipe pipe:1'.split(' ')
    t.strictSame(args.slice(args.indexOf('-i')), ['-i', 'file:/films/a.mkv', ...picture])
    t.strictSame(await run('true'), { kind: 'none' }, 'ended well without a word')
    t.strictSame(await run('echo x; exit 1'), { kind: 'none' })
    t.match(await run('echo x; echo "a.mkv: Input/output error" >&2'), { kind: 'fault', fault: { kind: 'read' } })
    await t.rejects(
      extractPicture({ ...FFMPEG, program: '/nowhere/ffmpeg' }, { input: '/a.mkv', streamIndex: 0 }, LIMITS),
      { code: 'tool_missing' },
    )
  },
)
