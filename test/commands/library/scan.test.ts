import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { testDatabase } from '../../support/database.ts'
import { gatedProbe, type GatedProbe } from '../../support/gated-probe.ts'
import { sampleMedia } from '../../support/media.ts'
import {
  siblingOfDataDirectory,
  PHLIX_WORDS,
  runPhlix,
  runShell,
  startPhlix,
  temporaryDataDirectory,
  type PhlixResult,
} from '../../support/phlix.ts'

const data = await temporaryDataDirectory(t)
const database = await testDatabase(t)
const media = siblingOfDataDirectory(data, 'media')
t.teardown(() => rm(media, { recursive: true, force: true }))
/** A format that only ffprobe can read, so that a gate before ffprobe delays the scan. */
const film = await sampleMedia('film-mpg')

const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment: database.environment })
/** Starts a command in a process of its own, for concurrent runs and signals. */
const start = (words: string[], environment: Record<string, string> = {}) =>
  startPhlix([...words, '--data-dir', data], { environment: { ...database.environment, ...environment } })

/** A movie library of copies of one small film; returns its id. */
async function library(name: string, count: number, folderName = name): Promise<string> {
  const folder = join(media, folderName)
  await mkdir(folder, { recursive: true })
  for (let number = 1; number <= count; number++) await copyFile(film, join(folder, `Film ${number} (2001).mpg`))
  const { stdout } = await run('library:create', name, '--type=movie', '--path', folder, '--json')
  return (JSON.parse(stdout) as { library: { id: string } }).library.id
}

let gates = 0

/** A gate in a separate folder, beside the libraries. */
async function gate(): Promise<GatedProbe> {
  gates += 1
  const folder = join(media, `gate-${gates}`)
  await mkdir(folder)
  return gatedProbe(folder)
}

type Document = { job_id: string; status: string; found: number; added: number; removed: number; failed: object[] }

void t.test('a scan reports its results, by id, by name and in the space form', async (t) => {
  const id = await library('Films', 3)
  const text = await run('library:scan', 'Films')
  t.match(text.stderr, /^No metadata provider has a key, .*: phlix config:set metadata\.tmdb\.api_key -\n$/)
  t.match(text, { code: 0, stdout: /^Scanned "Films": 3 files, 3 new, 0 removed in \d+\.\d s\n$/ })
  const { code, stdout } = await run('library', 'scan', id, '--json')
  t.equal(code, 0)
  t.match(JSON.parse(stdout), {
    schema: 'library.scan/1',
    library_id: id,
    type: 'scan',
    status: 'completed',
    found: 3,
    added: 0,
    updated: 3,
    removed: 0,
    failed_count: 0,
    failed: [],
    changes: false,
    completed_at: /^\d{4}-\d\d-\d\dT.*Z$/,
  })
  t.match(await run('library:scan', 'Films', '-q'), { code: 0, stdout: '', stderr: '' })
})

void t.test('an unknown library exits 66, an ambiguous name 2', async (t) => {
  for (const name of ['Nothing', '00000000-0000-4000-8000-000000000000', "'; drop table libraries"]) {
    const { code, stdout } = await run('library:scan', name, '--json')
    t.equal(code, 66)
    t.match(JSON.parse(stdout), { error: { code: 'library_not_found', exit: 66, hint: 'phlix library:list' } })
  }
  await library('Twins', 0)
  await library('Twins', 0, 'Other twins')
  const { code, stdout } = await run('library:scan', 'Twins', '--json')
  t.equal(code, 2)
  t.equal((JSON.parse(stdout) as { error: { details: { ids: string[] } } }).error.details.ids.length, 2)
})

void t.test('files that could not be read exit 3 and are named', async (t) => {
  await library('Broken', 1)
  await copyFile(await sampleMedia('noise-mp4'), join(media, 'Broken', 'Noise\u001B[31m (2002).mp4'))
  const json = await run('library:scan', 'Broken', '--json')
  t.equal(json.code, 3)
  t.match(JSON.parse(json.stdout), { status: 'completed', found: 2, failed_count: 1, failed: [{ path: /Noise/ }] })
  const text = await run('library:scan', 'Broken', '--rescan')
  t.match(text.stdout, /^Scanned "Broken": 2 files, 0 new, 0 removed, 1 failed in /)
  t.match(text.stderr, /Noise \(2002\)\.mp4: .+\n$/, 'without its control characters')
  t.match(
    await run('library:scan', 'Broken', '--rescan', '-q'),
    { code: 3, stdout: '', stderr: /Noise/ },
    'cron mails them',
  )
})

void t.test('a folder that is gone exits 74 and removes nothing', async (t) => {
  await library('Unmounted', 2)
  await run('library:scan', 'Unmounted')
  await rename(join(media, 'Unmounted'), join(media, 'Unmounted-away'))
  const { code, stdout } = await run('library:scan', 'Unmounted', '--rescan', '--json')
  t.equal(code, 74)
  t.match(JSON.parse(stdout), { error: { code: 'scan_root_unavailable', message: /nothing was removed/ } })
  await rename(join(media, 'Unmounted-away'), join(media, 'Unmounted'))
  t.match(JSON.parse((await run('library:scan', 'Unmounted', '--rescan', '--json')).stdout), { found: 2, added: 0 })
})

void t.test('--progress json writes status lines and a summary to stderr and leaves stdout alone', async (t) => {
  await library('Watched', 3)
  const { code, stdout, stderr } = await run('library:scan', 'Watched', '--progress', 'json', '--json')
  t.equal(code, 0)
  t.match(JSON.parse(stdout), { schema: 'library.scan/1' })
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { message_type: string })
  t.match(lines.at(0), { message_type: 'status', done: Number })
  t.match(lines.at(-1), { message_type: 'summary', found: 3, added: 3 })
})

void t.test('on a terminal there is a bar on stderr and only the result on stdout', async (t) => {
  await library('Shown', 4)
  const [file, slow] = [join(media, 'stdout.txt'), join(media, 'slow-ffprobe')]
  // Progress is written once per second.
  await writeFile(slow, '#!/bin/sh\nsleep 1\nexec ffprobe "$@"\n', { mode: 0o755 })
  const onTerminal = (flags: string): Promise<PhlixResult> => {
    const words = `${PHLIX_WORDS} library:scan Shown --data-dir ${data} ${flags}`
    return runShell(`script -qec 'stty cols 100 rows 30; ${words} > ${file}' /dev/null; cat ${file}`, {
      ...database.environment,
      PHLIX_FFPROBE: slow,
      TERM: 'xterm',
    })
  }
  const { stdout } = await onTerminal('')
  t.match(stdout, /Scanning "Shown" \[[#-]{24}\]/)
  t.match(stdout, /Scanned "Shown": 4 files, 4 new, 0 removed in \d+\.\d s\n$/)
  const bare = await onTerminal('--no-color')
  const colours = bare.stdout.split('\u001B[').filter((rest) => /^[\d;]*m/.test(rest))
  t.strictSame(colours, [], '--no-color leaves the cursor moves only')
})

void t.test('Ctrl-C cancels a scan cleanly, and the next one starts', async (t) => {
  await library('Interrupted', 20)
  for (const [signal, code, word] of [
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
  ] as const) {
    const { environment, started } = await gate()
    const { child, result } = start(['library:scan', 'Interrupted', '--json'], environment)
    await started()
    child.kill(signal)
    const ended = await result
    t.equal(ended.code, code)
    t.match(JSON.parse(ended.stdout), { error: { code: word, exit: code } })
  }
  t.match(await run('library:scan', 'Interrupted'), { code: 0, stdout: /20 files/ })
})

void t.test('after a second signal or a crash the next scan resumes the job', async (t) => {
  await library('Crashed', 10)
  const words = ['library:scan', 'Crashed']
  const twice = await gate()
  const stopped = start(words, twice.environment)
  await twice.started()
  stopped.child.kill('SIGINT')
  stopped.child.kill('SIGINT')
  t.equal((await stopped.result).code, 130)
  const once = await gate()
  const crashed = start(words, once.environment)
  await once.started()
  crashed.child.kill('SIGKILL')
  t.equal((await crashed.result).signal, 'SIGKILL')
  t.match(await run('library:scan', 'Crashed', '--json'), { code: 0, stdout: /"status": "completed"/ })
})

void t.test('a busy library exits 75 in text and in JSON; --force queues the job (F-31)', async (t) => {
  const id = await library('Busy', 6)
  const { environment, started, open } = await gate()
  const first = start(['library:scan', id, '--json'], environment)
  await started()
  t.match(await run('library:scan', id), {
    code: 75,
    stdout: '',
    stderr: /^error: The library already has a running scan/,
  })
  const json = await run('library:scan', id, '--json')
  t.equal(json.code, 75)
  t.match(JSON.parse(json.stdout), { error: { code: 'library_busy', exit: 75, details: { status: 'running' } } })
  const forced = start(['library:scan', id, '--force', '--progress', 'json', '--json'])
  await new Promise((resolve) => forced.child.stderr?.once('data', resolve))
  await open()
  const [one, two] = await Promise.all([first.result, forced.result])
  t.strictSame([one.code, two.code], [0, 0])
  const documents = [one, two].map(({ stdout }) => JSON.parse(stdout) as Document)
  t.match(documents, [{ added: 6 }, { added: 0 }], 'one after the other')
  t.not(documents[0]?.job_id, documents[1]?.job_id)
})

void t.test('--no-wait only queues; without a server --force runs the waiting job', async (t) => {
  const id = await library('Queued', 1)
  const queued = await run('library:scan', id, '--no-wait', '--json')
  t.equal(queued.code, 0)
  const { job_id: jobId } = JSON.parse(queued.stdout) as Document
  t.match(JSON.parse(queued.stdout), { status: 'queued', found: 0, warnings: [/^No server runs/] })
  const refused = await run('library:scan', id, '--json')
  t.equal(refused.code, 75)
  t.match(JSON.parse(refused.stdout), { error: { hint: /--force runs it/, details: { job_id: jobId } } })
  const forced = await run('library:scan', id, '--force', '--json')
  t.match(JSON.parse(forced.stdout), { job_id: jobId, status: 'completed', added: 1 })
})

void t.test('--timeout gives up with 75 and ends a scan that runs here', async (t) => {
  await library('Late', 2)
  const { environment } = await gate()
  const words = ['library:scan', 'Late', '--timeout', '1', '--json', '--data-dir', data]
  const { code, stdout } = await runPhlix(words, { environment: { ...database.environment, ...environment } })
  t.equal(code, 75)
  t.match(JSON.parse(stdout), { error: { code: 'wait_timed_out', details: { status: 'cancelled' } } })
  t.equal((await run('library:scan', 'Late')).code, 0)
  t.equal((await run('library:scan', 'Late', '--timeout', '0')).code, 2)
})
