import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { acquireSessionLock } from '../../../src/core/platform/database/index.ts'
import { testDatabase } from '../../support/database.ts'
import { gatedProbe } from '../../support/gated-probe.ts'
import { sampleMedia } from '../../support/media.ts'
import { startDaemon, stopDaemon } from '../../support/daemon.ts'
import {
  siblingOfDataDirectory,
  PHLIX_WORDS,
  runPhlix,
  runShell,
  startPhlix,
  temporaryDataDirectory,
} from '../../support/phlix.ts'
import { waitUntil } from '../../support/wait-until.ts'

const data = await temporaryDataDirectory(t)
const { environment, connectionUri } = await testDatabase(t)
const media = siblingOfDataDirectory(data, 'media')
t.teardown(() => rm(media, { recursive: true, force: true }))
const film = await sampleMedia('film-tiny-mp4')

const run = (...words: string[]) => runPhlix([...words, '--data-dir', data], { environment })
const json = async (...words: string[]) => {
  const { code, stdout } = await run(...words, '--json')
  return { code, document: JSON.parse(stdout) as Record<string, unknown> }
}

/** A scanned movie library of copies of one small film; returns its id and folder. */
async function library(name: string, count: number): Promise<{ id: string; folder: string }> {
  const folder = join(media, name)
  await mkdir(folder, { recursive: true })
  for (let number = 1; number <= count; number += 1) await copyFile(film, join(folder, `Film ${number} (2001).mp4`))
  const { document } = await json('library:create', name, '--type=movie', '--path', folder)
  await run('library:scan', name)
  return { id: (document as { library: { id: string } }).library.id, folder }
}

void t.test('library:update changes the given settings and reports the consequences', async (t) => {
  const { id, folder } = await library('Old', 1)
  const more = join(media, 'more')
  await mkdir(more)
  const renamed = await json(
    'library:update',
    'Old',
    '--name',
    'Renamed',
    '--display-order',
    '-2',
    '--auto-collections',
    'off',
  )
  t.match(renamed, {
    code: 0,
    document: {
      library: { id, name: 'Renamed', display_order: -2, auto_collections: { enabled: false }, paths: [folder] },
      paths_changed: false,
      scan_job_id: null,
      scan_waits_for_server: false,
    },
  })
  const options = await json(
    'library:update',
    id,
    '--option',
    'a={"b":[1]}',
    '--option',
    'time_zone=Europe/Berlin',
    '--option',
    'c=',
  )
  t.match(options.document, { library: { options: { a: { b: [1] }, time_zone: 'Europe/Berlin', c: '' } } })
  const added = await run('library:update', id, '--add-path', more)
  const next = `a scan starts with the next server; to run it now: phlix library:scan ${id}`
  t.match(added, { code: 0, stdout: `Updated "Renamed" (${id}); ${next}\n` })
  const swapped = await json('library:update', id, '--remove-path', `${folder}/`)
  t.match(swapped.document, { library: { paths: [more] }, paths_changed: true, scan_waits_for_server: true })
  const { document } = await json('library:status', id)
  t.match(document, { libraries: [{ active_job: { id: swapped.document['scan_job_id'], status: 'queued' } }] })
  t.match((await json('library:update', id, '--path', folder, '--path', more)).document, {
    library: { paths: [folder, more] },
  })
  t.match(await run('library:update', id, '--name', 'Renamed', '-q'), { code: 0, stdout: '', stderr: '' })
})

void t.test('library:update refuses nonsense with 2 and an unknown library with 66', async (t) => {
  const { id } = await library('Strict', 0)
  for (const words of [
    [],
    ['--name', ' '],
    ['--path', '/'],
    ['--path', join(media, 'missing')],
    ['--remove-path', '/elsewhere'],
    ['--auto-collections', 'perhaps'],
    ['--display-order', 'first'],
    ['--option', 'no-equals-sign'],
    ['--option', 'metadata_priority=[1]'],
  ]) {
    t.equal((await run('library:update', id, ...words)).code, 2, words.join(' '))
  }
  t.equal((await run('library:update', 'Nothing', '--name', 'x')).code, 66)
})

void t.test('library:status and library:history show the jobs', async (t) => {
  const { id } = await library('Watched', 2)
  const status = await json('library:status', 'Watched')
  t.match(status.document, {
    libraries: [
      { library: { id, item_count: 2 }, active_job: null, latest_job: { type: 'scan', status: 'completed' } },
    ],
  })
  t.match((await run('library:status', id, '--plain')).stdout, /^Watched\tmovie\t2\tcompleted scan\t\d{4}-\S+Z\t\n$/)
  await run('library:scan', id, '--no-wait')
  t.match((await run('library:status')).stdout, /Watched +movie +2 +queued scan/)
  const history = await json('library:history', id)
  t.match(history.document, {
    library_id: id,
    history: [
      { type: 'scan', status: 'queued', started_at: null },
      { type: 'scan', status: 'completed', items_found: 2, items_added: 2, completed_at: /^\d{4}-\d\d-\d\dT.*Z$/ },
    ],
  })
  const short = (await run('library:history', id, '--limit', '1', '--plain')).stdout.split('\n')
  t.equal(short.length, 2)
  t.equal((await run('library:history', id, '--limit', '0')).code, 2)
  t.equal((await run('library:history', 'Nothing')).code, 66)
  await library('Untouched', 0)
  await run('library:create', 'Fresh', '--type', 'book', '--path', join(media, 'Untouched'), '--no-scan')
  t.match((await run('library:history', 'Fresh')).stdout, /^Never scanned: phlix library:scan /)
})

void t.test('where a server runs, a new library is scanned by it', async (t) => {
  const folder = join(media, 'Served')
  await mkdir(folder)
  const mark = await acquireSessionLock({ connectionUri, key: 'phlix:daemon', mode: 'shared' })
  t.teardown(() => mark?.release())
  const { document } = await json('library:create', 'Served', '--type=movie', '--path', folder)
  t.match(document, { created: true, scan_job_id: /^[0-9a-f-]{36}$/, scan_waits_for_server: false })
  t.match((await json('library:status', 'Served')).document, {
    libraries: [{ active_job: { id: document['scan_job_id'], type: 'scan', status: 'queued' } }],
  })
  const again = await json('library:create', 'Served', '--type=movie', '--path', folder, '--if-absent')
  t.match(again.document, { created: false, scan_job_id: null, scan_waits_for_server: false })
  const unscanned = await json('library:create', 'Unscanned', '--type=book', '--path', folder, '--no-scan')
  t.match(unscanned.document, { created: true, scan_job_id: null, scan_waits_for_server: false })
  t.match((await json('library:history', 'Unscanned')).document, { history: [] })
  const photos = await run('library:create', 'Photos', '--type=photo', '--path', folder)
  t.match(photos.stdout, /^Created "Photos" \(\S+\); its first scan is queued\n$/)
  t.not((await run('media:markers', '--library', 'Served', '--timeout', '1')).code, 0, 'no server takes the analysis')
  t.match((await json('library:status', 'Served')).document, {
    libraries: [{ active_job: { type: 'scan' }, active_analysis: { type: 'markers', status: 'queued' } }],
  })
  t.match(
    await json('media:trickplay', '--library', 'Served'),
    { code: 75, document: { error: { message: 'The library already has a queued analysis', hint: /library:status/ } } },
    'it does not advise --force, which analyses everything again',
  )
})

void t.test('without a server the first scan waits, and the next command or server runs it', async (t) => {
  const folder = join(media, 'Waiting')
  await mkdir(folder)
  await copyFile(film, join(folder, 'Film (2001).mp4'))
  const { document } = await json('library:create', 'Waiting', '--type=movie', '--path', folder)
  const { scan_job_id: jobId, library: made } = document as { scan_job_id: string; library: { id: string } }
  t.match(document, { created: true, scan_job_id: /^[0-9a-f-]{36}$/, scan_waits_for_server: true })
  t.match((await json('library:status', made.id)).document, { libraries: [{ active_job: { id: jobId } }] })
  t.match((await json('library:prune', made.id)).code, 0, 'other jobs are not held up by it')
  t.match(
    (await json('library:scan', made.id)).document,
    { job_id: jobId, added: 1 },
    'the job that was queued, run by the command',
  )
  const text = await run('library:create', 'Told', '--type=photo', '--path', folder)
  t.match(text.stdout, /; its first scan starts with the next server; to run it now: phlix library:scan \S{36}\n$/)
  const quiet = await run('library:create', 'Plain', '--type=book', '--path', folder, '--no-scan')
  t.match(quiet.stdout, /; to fill it: phlix library:scan \S{36}\n$/)

  const other = await json('library:create', 'Later', '--type=audiobook', '--path', folder)
  const daemon = await startDaemon(data, environment)
  t.teardown(() => stopDaemon(daemon))
  await waitUntil('the server has run the first scan', async () => {
    const { document } = await json('library:history', 'Later')
    const [job] = (document as { history: { id: string; status: string }[] }).history
    return job?.id === other.document['scan_job_id'] && job?.status === 'completed'
  })
})

void t.test('library:cancel ends a scan that another command runs, which then exits 1', async (t) => {
  const { id, folder } = await library('Cancelled', 0)
  await writeFile(join(folder, 'Noise (2002).mp4'), Buffer.alloc(500, 7))
  const gateFolder = join(media, 'gate')
  await mkdir(gateFolder)
  const gate = await gatedProbe(gateFolder)
  const words = ['library:scan', id, '--json', '--data-dir', data]
  const scanning = startPhlix(words, { environment: { ...environment, ...gate.environment } })
  await gate.started()
  const cancelled = await json('library:cancel', 'Cancelled')
  t.match(cancelled, { code: 0, document: { library_id: id, cancelled: [{ type: 'scan', status: 'cancelled' }] } })
  const ended = await scanning.result
  t.equal(ended.code, 1)
  t.match(JSON.parse(ended.stdout), { error: { code: 'scan_cancelled', exit: 1 } })
  t.match(await run('library:cancel', id), { code: 0, stdout: 'Nothing to cancel on "Cancelled"\n' })
  const other = await json('library:scan', 'Strict', '--no-wait')
  const foreign = await json('library:cancel', id, '--job', String(other.document['job_id']))
  t.match(foreign, { code: 66, document: { error: { code: 'scan_job_not_found' } } })
  const own = await run('library:cancel', 'Strict', '--job', String(other.document['job_id']))
  t.match(own, { code: 0, stdout: 'Cancelled on "Strict": scan\n' })
})

void t.test(
  'library:prune removes the items of missing files, and only lists them with --dry-run or on a terminal',
  async (t) => {
    const { id, folder } = await library('Pruned', 3)
    const gone = join(folder, 'Film 2 (2001).mp4')
    await rm(gone)
    const dry = await json('library:prune', id, '--dry-run')
    t.match(dry, {
      code: 0,
      document: {
        dry_run: true,
        job_id: null,
        known: 3,
        removed: 0,
        refusal: null,
        gone: [{ path: gone, name: 'Film 2' }],
      },
    })
    const words = `${PHLIX_WORDS} library:prune ${id} --data-dir ${data}`
    const shown = await runShell(`script -qec '${words}' /dev/null </dev/null`, { ...environment, TERM: 'xterm' })
    t.match(shown.stdout, /1 of 3 items would be removed from "Pruned"/)
    const done = await json('library:prune', id)
    t.match(done, { code: 0, document: { dry_run: false, known: 3, removed: 1, gone: [], job_id: String } })
    t.match(await run('library:prune', id), { code: 0, stdout: 'Pruned "Pruned": 0 of 2 items removed\n' })
  },
)

void t.test('library:prune exits 74 while a folder is away, 75 beside another job, 66 for no library', async (t) => {
  const { id, folder } = await library('Away', 2)
  await rename(folder, `${folder}-away`)
  for (const words of [['--dry-run'], []]) {
    const { code, document } = await json('library:prune', id, ...words)
    t.match({ code, document }, { code: 74, document: { error: { code: 'scan_root_unavailable' } } })
  }
  await rename(`${folder}-away`, folder)
  await run('library:scan', id, '--no-wait')
  t.match(await json('library:prune', id), { code: 75, document: { error: { code: 'library_busy' } } })
  t.match(await json('library:prune', id, '--force'), { code: 0, document: { removed: 0 } })
  t.equal((await run('library:prune', 'Nothing')).code, 66)
})

void t.test('library:health exits 4 with findings, 0 without', async (t) => {
  const { folder } = await library('Healthy', 0)
  t.match(await run('library:health', 'Healthy'), { code: 0, stdout: 'Nothing found\n' })
  await copyFile(film, join(folder, 'A (2001) [tmdbid-1].mp4'))
  await copyFile(film, join(folder, 'B (2001).mp4'))
  await writeFile(join(folder, 'Noise\u001B[31m (2002) [tmdbid-2].mp4'), Buffer.alloc(500, 7))
  await run('library:scan', 'Healthy')
  const all = await json('library:health', 'Healthy')
  t.equal(all.code, 4)
  t.match(all.document, { counts: { bad: 1, duplicates: 2, missing: 0, unmatched: 1 } })
  const bad = await json('library:health', 'Healthy', '--bad')
  t.match(bad.document, {
    counts: { bad: 1 },
    findings: [{ kind: 'bad', reason: String, item_id: String, group: null }],
  })
  const plain = await run('library:health', 'Healthy', '--duplicates', '--plain')
  t.match(plain, { code: 4, stdout: /^duplicates\t.*A \(2001\).*\tgroup 1\nduplicates\t.*B \(2001\)\.mp4\tgroup 1\n$/ })
  t.notMatch((await run('library:health', 'Healthy')).stdout, '\u001B[31m')
  t.match(await run('library:health', 'Healthy', '--missing'), { code: 0, stdout: 'Nothing found\n' })
  t.equal((await run('library:health', 'Nothing')).code, 66)
})

void t.test('library:delete needs --yes without a terminal, prompts on one, and lists the deleted data', async (t) => {
  const { id, folder } = await library('Deleted', 2)
  const refused = await json('library:delete', 'Deleted')
  t.match(refused, {
    code: 2,
    document: { error: { code: 'usage', message: /"Deleted" would be deleted with 2 items/, hint: /--yes/ } },
  })
  t.match(await json('library:delete', id, '--dry-run'), {
    code: 0,
    document: { dry_run: true, deleted: false, items: 2, people: [], cancelled_job_ids: [], library: { id } },
  })
  const words = `${PHLIX_WORDS} library:delete ${id} --data-dir ${data}`
  const asked = await runShell(`printf 'n\\n' | script -qec '${words}' /dev/null`, { ...environment, TERM: 'xterm' })
  t.match(asked.stdout, /would be deleted with 2 items\. Files are kept\. Continue\? \[y\/N\]/)
  t.match(asked.stdout, /Nothing was deleted/)
  await run('library:scan', id, '--no-wait')
  const done = await json('library:delete', id, '--yes')
  t.match(done, { code: 0, document: { deleted: true, cancelled_job_ids: [String] } })
  t.equal((await run('library:delete', id, '--yes')).code, 66)
  await copyFile(join(folder, 'Film 1 (2001).mp4'), join(media, 'still-there'))
})
