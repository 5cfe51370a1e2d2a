import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { releaseManifest } from '../../scripts/command-manifest.ts'
import { sampleMedia } from '../support/media.ts'
import { holdEngine, runPhlix, temporaryDataDirectory } from '../support/phlix.ts'

const data = await temporaryDataDirectory(t)
await holdEngine(t, data)
const films = `${data}-films`
await mkdir(films)
t.teardown(() => rm(films, { recursive: true, force: true }))

const METADATA_KEYS = [
  'dry_run',
  'found',
  'job_id',
  'library_id',
  'processed',
  'remark',
  'status',
  'type',
  'unmatched',
  'unmatched_count',
]

/** Commands whose success needs more than words, which their own files give. */
const ELSEWHERE: readonly string[][] = [
  ['serve'],
  ['media:explain', 'x'],
  ['request:approve', 'x'],
  ['request:deny', 'x'],
  ['webhook:delete', 'x'],
  ['webhook:test', 'x'],
  ['webhook:redeliver', 'x'],
  ['notify:test', 'x'],
  ['playlist:show', 'x'],
  ['playlist:preview', 'x'],
  ['transcode:cancel', 'x'],
]

/** Every other command: words that succeed, in an order in which they do. */
const COMMANDS: readonly { words: string[]; keys: string[] }[] = [
  { words: ['version'], keys: ['name', 'node', 'platform', 'version'] },
  { words: ['exit-codes'], keys: ['exit_codes'] },
  {
    words: ['cache:stats'],
    keys: ['bytes', 'free_bytes', 'jobs', 'least_recently_used_at', 'min_disk_space_bytes', 'segments'],
  },
  { words: ['cache:sweep'], keys: ['abandoned_encoders', 'bytes', 'jobs', 'segments'] },
  { words: ['transcode:list'], keys: ['jobs'] },
  { words: ['config:show'], keys: ['data_directory', 'options'] },
  { words: ['key:rotate'], keys: ['created_at', 'file', 'jwk', 'kid', 'old_file'] },
  { words: ['key:show'], keys: ['created_at', 'file', 'jwk', 'kid'] },
  {
    words: ['media:inspect', await sampleMedia('film-tiny-mp4')],
    keys: [
      'book',
      'canonical_key',
      'container_tags',
      'doubt',
      'groups',
      'item',
      'library_type',
      'local_metadata',
      'media',
      'named_by',
      'path',
      'photo',
      'read_by',
      'read_error',
      'role',
      'root',
      'sidecars',
      'size_bytes',
      'tags',
    ],
  },
  { words: ['migrate'], keys: ['applied', 'pending', 'schema_version'] },
  { words: ['config:set', 'metadata.overwrite_existing', 'off'], keys: ['setting'] },
  { words: ['config:unset', 'metadata.overwrite_existing'], keys: ['setting'] },
  { words: ['library:create', 'Films', '--type', 'movie', '--path', films], keys: ['created', 'library'] },
  { words: ['library:list'], keys: ['libraries'] },
  {
    words: ['library:scan', 'Films'],
    keys: [
      'added',
      'changes',
      'completed_at',
      'duration_seconds',
      'failed',
      'failed_count',
      'found',
      'job_id',
      'library_id',
      'queued_at',
      'removed',
      'started_at',
      'status',
      'type',
      'updated',
    ],
  },
  { words: ['library:status'], keys: ['libraries'] },
  { words: ['library:history', 'Films'], keys: ['history', 'library_id'] },
  { words: ['library:cancel', 'Films'], keys: ['cancelled', 'library_id'] },
  { words: ['library:update', 'Films', '--display-order', '1'], keys: ['library', 'paths_changed', 'scan_job_id'] },
  {
    words: ['library:prune', 'Films'],
    keys: ['dry_run', 'gone', 'job_id', 'known', 'library_id', 'refusal', 'removed'],
  },
  { words: ['library:match', 'Films', '--dry-run'], keys: METADATA_KEYS },
  { words: ['library:refresh-metadata', 'Films', '--dry-run'], keys: METADATA_KEYS },
  { words: ['library:clear-metadata', 'Films', '--yes'], keys: METADATA_KEYS },
  { words: ['library:health'], keys: ['counts', 'findings'] },
  { words: ['source:backfill'], keys: ['failed', 'failed_count', 'job_ids', 'processed', 'skipped'] },
  {
    words: ['library:delete', 'Films', '--yes'],
    keys: ['cancelled_job_ids', 'deleted', 'dry_run', 'items', 'library', 'people'],
  },
  { words: ['request:list'], keys: ['requests'] },
  { words: ['playlist:list'], keys: ['smart_playlists'] },
  { words: ['collection:list'], keys: ['collections'] },
  { words: ['collection:refresh'], keys: ['refreshed'] },
  { words: ['stats:playback'], keys: ['series'] },
  { words: ['stats:top-users'], keys: ['users'] },
  { words: ['stats:top-media'], keys: ['media'] },
  { words: ['stats:rebuild'], keys: ['mended'] },
  { words: ['webhook:create', 'Home', 'https://1.1.1.1/hook'], keys: ['generated', 'webhook'] },
  { words: ['webhook:list'], keys: ['webhooks'] },
  { words: ['webhook:deliveries'], keys: ['deliveries', 'total'] },
  { words: ['notify:add', 'phone', '--service', 'ntfy', '--set', 'topic=x'], keys: ['channel'] },
  { words: ['notify:list'], keys: ['channels'] },
  { words: ['notify:remove', 'phone'], keys: ['channel'] },
  { words: ['user:create', 'ada', '--email', 'ada@example.org'], keys: ['generated', 'user'] },
  { words: ['user:list'], keys: ['users'] },
  { words: ['user:set-admin', 'ada', '--remove'], keys: ['changed', 'user'] },
  { words: ['user:disable', 'ada'], keys: ['changed', 'user'] },
  { words: ['user:enable', 'ada'], keys: ['changed', 'user'] },
  {
    words: ['user:reset-password', 'ada'],
    keys: ['generated', 'passkeys_kept', 'passkeys_removed', 'sessions_revoked', 'user'],
  },
  { words: ['user:passkeys', 'ada'], keys: ['passkeys', 'removed', 'user'] },
]

void t.test('this file knows every command', async (t) => {
  const { commands } = JSON.parse(await releaseManifest(join(import.meta.dirname, '..', '..'))) as { commands: object }
  t.strictSame(
    Object.keys(commands).toSorted(),
    [...COMMANDS.map(({ words }) => words), ...ELSEWHERE].map(([id = '']) => id).toSorted(),
  )
})

for (const { words, keys } of COMMANDS) {
  const id = words[0] ?? ''
  void t.test(`${id} --json prints its result as one document`, async (t) => {
    const { code, stdout, stderr } = await runPhlix([...words, '--json', '--data-dir', data])
    t.equal(code, 0, stdout)
    t.equal(stderr, '')
    const document = JSON.parse(stdout) as Record<string, unknown>
    t.equal(document['schema'], `${id.replace(':', '.')}/1`)
    t.strictSame(Object.keys(document).toSorted(), [...keys, 'schema', 'warnings'].toSorted())
    t.strictSame(document['warnings'], [])
  })
}

for (const words of [...COMMANDS.map((command) => command.words), ...ELSEWHERE]) {
  const id = words[0] ?? ''
  void t.test(`${id} with a bad flag exits 2 as one document`, async (t) => {
    const { code, stdout, stderr } = await runPhlix([...words, '--bad-flag', '--json', '--data-dir', data])
    t.equal(code, 2)
    t.equal(stderr, '')
    t.match(JSON.parse(stdout), { error: { code: 'usage', exit: 2, message: 'Unknown flag --bad-flag', details: {} } })
  })

  void t.test(`${id} with a word too many exits 2`, async (t) => {
    t.equal((await runPhlix([...words, 'one', 'two', '--data-dir', data])).code, 2)
  })
}

void t.test('a bad configuration exits 78 and names the key, before anything is opened', async (t) => {
  const file = join(data, 'bad.toml')
  await writeFile(file, '[server]\nprot = 1\n[database]\npool_size = "many"\n')
  for (const words of [...COMMANDS.map((command) => command.words), ...ELSEWHERE]) {
    if (words[0] === 'version' || words[0] === 'exit-codes') continue
    const { code, stdout, stderr } = await runPhlix([...words, '--config', file, '--json', '--data-dir', data])
    t.equal(code, 78, words.join(' '))
    t.equal(stderr, '')
    t.match(JSON.parse(stdout), {
      error: {
        code: 'invalid_config',
        exit: 78,
        message: /server\.prot is not an option \(did you mean server\.port\?\).*database\.pool_size must be/,
      },
    })
  }
})

void t.test('a database that is not there exits 69', async (t) => {
  const environment = { DB_HOST: '127.0.0.1', DB_PORT: '1', DB_PASSWORD: 'S3CRET-canary' }
  for (const words of COMMANDS.slice(6).map((command) => command.words)) {
    const { code, stdout, stderr } = await runPhlix([...words, '--json', '--data-dir', data], { environment })
    t.equal(code, 69, words.join(' '))
    t.match(JSON.parse(stdout), { error: { code: 'database_unavailable', exit: 69 } })
    t.notMatch(stdout + stderr, 'S3CRET-canary')
  }
})
