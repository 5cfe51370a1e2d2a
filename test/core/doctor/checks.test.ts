import { createServer } from 'node:tls'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { CHECKS, CHECK_IDS, runChecks, writeSupportBundle, type DoctorContext } from '../../../src/core/doctor/index.ts'
import { proxiesCheck } from '../../../src/core/doctor/checks/trusted-proxies.ts'
import { reinstallCommand } from '../../../src/core/doctor/reinstall-command.ts'
import { redactPathsInData, redactPathsInText } from '../../../src/core/doctor/redact-paths.ts'
import { shellQuote } from '../../../src/core/doctor/shell-quote.ts'
import { accountName } from '../../../src/core/doctor/service-account.ts'
import { openDoctor } from '../../../src/core/open-doctor.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { systemClock } from '../../../src/core/platform/time/index.ts'
import { testDatabase } from '../../support/database.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { faultyDisk } from '../../support/disks.ts'
import { fakeFfmpeg } from '../../support/fake-ffmpeg.ts'
import { BASE_DN, SEARCHER, startSlapd, unlessSlapd } from '../../support/slapd.ts'
import { startOidcProvider } from '../../support/oidc.ts'
import { makeLibrary } from '../../support/records.ts'
import { selfSigned } from '../../support/self-signed.ts'
import { examinedServer } from './examined-server.ts'

const database = await testDatabase(t)
const server = (directory: string, environment: Record<string, string> = {}) =>
  examinedServer(t, { directory, environment: { ...database.environment, ...environment } })

void t.test('an old Node is an error', async (t) => {
  const { check } = server(reachableDirectory(t))
  t.match(await check('node', { nodeVersion: '24.6.1' }), [{ level: 'error', message: /24\.6\.1 is older than 24\.7/ }])
  t.match(await check('node', { nodeVersion: '22.30.0' }), [{ level: 'error' }])
  t.match(await check('node', { nodeVersion: '25.0.0' }), [{ level: 'ok' }])
})

void t.test('an ffmpeg without the encoders of streams is an error', async (t) => {
  const folder = reachableDirectory(t)
  const path = fakeFfmpeg(folder, {})
  await writeFile(path, readFileSync(path, 'utf8').replace(/^ V....D libx264.*$/m, ''))
  const { check } = server(reachableDirectory(t), { PHLIX_FFMPEG: path })
  t.match(await check('encoders'), [{ level: 'error', message: /has no encoder libx264/, fix: /ffmpeg/ }])
})

void t.test('a data directory on a network or FUSE disk is reported', async (t) => {
  const disk = await faultyDisk(t)
  if (disk === undefined) return
  t.match(await server(disk.folder).check('local-disk'), [
    { level: 'warning', message: /FUSE/, fix: /^phlix backup:create --to \S+ --quiet && phlix backup:restore / },
  ])
  t.match(await server(reachableDirectory(t)).check('local-disk'), [{ level: 'ok' }])
})

void t.test('a clock that differs from the clock of the database is reported', async (t) => {
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 3600_000) }
  const found = await server(reachableDirectory(t)).check('clock', { clock })
  t.match(found, [{ level: 'warning', message: /differ by 3[56]\d\d s/, fix: 'timedatectl set-ntp true' }])
})

void t.test('the certificate of the public address is examined', async (t) => {
  const site = createServer(selfSigned).listen(0, '127.0.0.1')
  t.teardown(() => site.close())
  await once(site, 'listening')
  const address = `https://127.0.0.1:${(site.address() as AddressInfo).port}`
  const { check } = server(reachableDirectory(t), { PHLIX_PUBLIC_URL: address })
  t.match(await check('tls'), [{ level: 'error', message: /not valid: DEPTH_ZERO_SELF_SIGNED_CERT/ }])
  const clock = { ...systemClock, now: () => new Date('2200-01-01') }
  t.match(await check('tls', { clock }), [{ level: 'error', message: /expired \d+ days ago/, fix: 'certbot renew' }])
  const gone = server(reachableDirectory(t), { PHLIX_PUBLIC_URL: 'https://127.0.0.1:1' })
  t.match(await gone.check('tls'), [{ level: 'error', message: /cannot be reached/ }])
  const plain = server(reachableDirectory(t), { PHLIX_PUBLIC_URL: 'http://media.example.org' })
  t.match(await plain.check('tls'), [{ level: 'warning', message: /not https/ }])
})

void t.test('the OpenID provider is asked, and its clock compared', async (t) => {
  const publicUrl = 'https://media.example.test'
  const provider = await startOidcProvider(t, { publicUrl, baseUrl: () => publicUrl })
  const environment = { PHLIX_PUBLIC_URL: publicUrl, PHLIX_OIDC_ISSUER: provider.issuer, PHLIX_OIDC_CLIENT_ID: 'phlix' }
  const { check } = server(reachableDirectory(t), environment)
  t.match(await check('oidc'), [{ level: 'ok', message: `${provider.issuer} answers, and its clock agrees` }])
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 120_000) }
  t.match(await check('oidc', { clock }), [{ level: 'warning', message: /differ by 1(?:19|20|21) s/ }])
  provider.state.isDown = true
  t.match(await check('oidc'), [
    { level: 'error', message: /does not answer, so that nobody can sign in there/, fix: /^curl -fsS http:/ },
  ])
  const { PHLIX_PUBLIC_URL: _, ...withoutUrl } = environment
  const incomplete = server(reachableDirectory(t), withoutUrl)
  t.match(await incomplete.check('oidc'), [{ level: 'error', message: /server\.public_url/ }])
  const other = server(reachableDirectory(t), { ...environment, PHLIX_OIDC_ISSUER: `${provider.issuer}/other` })
  provider.state.isDown = false
  t.match(await other.check('oidc'), [{ level: 'error' }])
  t.match(await server(reachableDirectory(t)).check('oidc'), [{ level: 'ok', message: /no OpenID provider/ }])
})

void t.test('the directory is asked as the account that searches', { skip: unlessSlapd }, async (t) => {
  const directory = await startSlapd(t)
  const environment = { PHLIX_LDAP_URL: directory.url, PHLIX_LDAP_BASE_DN: BASE_DN }
  const searcher = { PHLIX_LDAP_BIND_DN: SEARCHER.dn, PHLIX_LDAP_BIND_PASSWORD: SEARCHER.password }
  const { check } = server(reachableDirectory(t), { ...environment, ...searcher })
  t.match(await check('ldap'), [{ level: 'ok', message: `${directory.url} answers` }])
  const wrong = { ...environment, ...searcher, PHLIX_LDAP_BIND_PASSWORD: 'wrong' }
  t.match(await server(reachableDirectory(t), wrong).check('ldap'), [{ level: 'error', message: /nobody can sign in/ }])
  await directory.stop()
  t.match(await check('ldap'), [{ level: 'error', message: /ECONNREFUSED/, fix: /^nc -vz 127\.0\.0\.1 \d+$/ }])
  const plain = { ...environment, PHLIX_LDAP_URL: 'ldap://directory.example.test' }
  t.match(await server(reachableDirectory(t), plain).check('ldap'), [{ level: 'error', message: /without encryption/ }])
  t.match(await server(reachableDirectory(t)).check('ldap'), [{ level: 'ok', message: /no directory/ }])
})

void t.test('a folder of a library that is gone is reported with its library', async (t) => {
  const own = await testDatabase(t)
  const folder = join(reachableDirectory(t), 'Films')
  await mkdir(folder)
  await makeLibrary(own.pool, folder, 'Films')
  const { check } = server(reachableDirectory(t), own.environment)
  t.match(await check('empty-root'), [{ level: 'ok' }])
  await rm(folder, { recursive: true })
  t.match(await check('empty-root'), [
    { level: 'error', message: /Films of the library Films/, fix: `mount ${folder}` },
  ])
})

void t.test('without a database all other checks run, and the missing one is a finding', async (t) => {
  const directory = reachableDirectory(t)
  const config = loadConfig({ dataDirectory: directory, environment: {} })
  const log = await createLogger(config, { level: 'critical' })
  const doctor = await openDoctor({ config, log, phlix: (words) => `phlix ${words}` })
  const checks = CHECKS.filter(({ id }) => id !== 'encoders' && id !== 'ports')
  const { findings } = await runChecks(doctor.context, { checks, limitSeconds: 60, isMending: false })
  await doctor.close()
  t.match(
    findings.find(({ id }) => id === 'database'),
    { level: 'warning', fix: 'phlix migrate' },
  )
  t.strictSame(
    findings.filter(({ level }) => level === 'skipped').map(({ id }) => id),
    [
      'extensions',
      'migrations',
      'indexes',
      'slow-queries',
      'roots',
      'empty-root',
      'unreadable',
      'rescue',
      'limits',
      'stale-jobs',
      'plugins',
      'backup-age',
    ],
  )
  for (const { level, fix } of findings) t.equal(fix === null, level === 'ok' || level === 'skipped')
  t.equal(new Set(CHECK_IDS).size, CHECKS.length)
})

void t.test('trusted proxies that fit not to the public address are a finding', async (t) => {
  const examined = (trusted: string | undefined, url = 'https://media.example.org') =>
    examinedServer(t, {
      directory: reachableDirectory(t),
      environment: { PHLIX_PUBLIC_URL: url, ...(trusted === undefined ? {} : { TRUSTED_PROXIES: trusted }) },
    }).check('proxies')
  for (const open of ['0.0.0.0/0', '127.0.0.1, ::/0', '0.0.0.0/1,128.0.0.0/1', '2000::/3']) {
    t.match(await examined(open), [{ level: 'error', message: /any caller/, fix: 'unset TRUSTED_PROXIES' }], open)
  }
  t.match(await examined(undefined), [{ level: 'ok', message: /^trusted: 127/ }], 'what `unset` leads to')
  for (const narrow of ['10.0.0.0/8,192.168.0.0/16,fd00::/8', '203.0.113.7', '0.0.0.0/2']) {
    t.match(await examined(narrow), [{ level: 'ok' }], narrow)
  }
  const options = { 'server.trusted_proxies': '', 'server.public_url': 'https://media.example.org' }
  const empty = { config: { options } } as unknown as DoctorContext
  const run = 'run' in proxiesCheck ? proxiesCheck.run : undefined
  t.match(await run?.(empty), [{ level: 'warning', message: /all callers have its address/ }])
})

void t.test('a database that does not answer is a finding', async (t) => {
  const { check } = examinedServer(t, {
    directory: reachableDirectory(t),
    environment: { DB_HOST: '127.0.0.1', DB_PORT: '1' },
  })
  t.match(await check('database'), [{ level: 'error', message: /cannot be used/, fix: 'systemctl restart postgresql' }])
})

void t.test('a check that fails or does not end is a finding', async (t) => {
  const config = loadConfig({ dataDirectory: reachableDirectory(t), environment: {} })
  const log = await createLogger(config, { level: 'critical' })
  const context = { log, phlix: (words: string) => `phlix ${words}` } as DoctorContext
  const never = new Promise<never>(() => {})
  const keepAlive = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(keepAlive))
  const { findings } = await runChecks(context, {
    checks: [
      { id: 'fails', run: async () => Promise.reject(new Error('no such thing')) },
      { id: 'hangs', run: async () => never },
    ],
    limitSeconds: 0.01,
    isMending: false,
  })
  t.match(findings, [
    { id: 'fails', level: 'warning', message: 'the check failed: no such thing', fix: /doctor --only fails/ },
    { id: 'hangs', level: 'warning', message: /did not end within/ },
  ])
})

void t.test('the bundle holds no secret, no path of media and no name of a person', async (t) => {
  const directory = reachableDirectory(t)
  const secret = '0123456789abcdef0123456789abcdef'
  await mkdir(join(directory, 'logs'))
  const line = JSON.stringify({
    level: 'warning',
    event: 'auth_failed',
    ip: '192.0.2.7',
    user: 'ann',
    path: '/srv/x/Secret.mkv',
  })
  const text = `${line}\nfailed to read /media/films/Private Film (2001).mkv\n`
  await writeFile(join(directory, 'logs', 'phlix.2026-01-01.1.log'), text)
  const config = loadConfig({ dataDirectory: directory, environment: { TMDB_API_KEY: secret } })
  const log = await createLogger(config, { level: 'critical' })
  const doctor = await openDoctor({ config, log, phlix: (words) => words })
  t.teardown(() => doctor.close())
  const path = join(directory, 'report.json.gz')
  const findings = [
    { id: 'roots', level: 'error' as const, message: '/media/films cannot be read', fix: 'chmod a+rX /media/films' },
  ]
  await writeSupportBundle(doctor.context, path, { findings, folders: ['/media/films'], withPaths: false })
  const written = gunzipSync(readFileSync(path)).toString()
  for (const word of [secret, 'Private', '/media', '192.0.2.7', /\bann\b/, 'Secret']) t.notMatch(written, word)
  t.match(written, /auth_failed/)
  t.match(JSON.parse(written), { options: [{ path: 'metadata.tmdb.api_key', value: '***' }] })
  t.equal(statSync(path).mode & 0o777, 0o600)
  await t.rejects(writeSupportBundle(doctor.context, path, { findings, folders: [], withPaths: true }), {
    code: 'EEXIST',
  })
  const whole = join(directory, 'whole.json.gz')
  await writeSupportBundle(doctor.context, whole, { findings, folders: [], withPaths: true })
  t.match(gunzipSync(readFileSync(whole)).toString(), /Private Film/)
})

void t.test('private values are removed from data and from JSON texts in them', (t) => {
  const paths = { dataDirectory: '/data', folders: [] }
  const inner = JSON.stringify({ name: 'He said "no"', currentPath: String.raw`C:\x "y"`, level: 'info' })
  const redacted = redactPathsInData({ lines: [`[phlix.log] ${inner}`], path: '/a/"b"/c', count: 1 }, paths)
  t.strictSame(redacted, {
    lines: ['[phlix.log] {"name":"<removed>","currentPath":"<removed>","level":"info"}'],
    path: '<removed>',
    count: 1,
  })
  t.end()
})

void t.test('paths of libraries are removed however they are quoted, and so are the folders above', (t) => {
  const folder = `/home/bob/Bob's "films"`
  const paths = { dataDirectory: '/home/bob/.local/share/phlix', folders: [folder, '/srv/a', '/srv/ab'] }
  const texts = [
    `${folder} cannot be read`,
    `setfacl -R -m u:phlix:rX ${shellQuote(folder)}`,
    `ERROR:  broken "${JSON.stringify(folder)}"`,
    `'${folder.replaceAll("'", "''")}/Film'`,
    '/home/bob is closed to phlix',
    'at file:///home/bob/checkout/x.ts:7',
    `${folder}/Bob's "other" film.mkv`,
    'read /home/bob/.local/share/phlix/config.toml and /usr/bin/ffmpeg of https://example.org/a/b',
    '/srv/ab/c',
  ]
  const redacted = texts.map((text) => redactPathsInText(text, paths))
  for (const text of redacted) t.notMatch(text, /bob|films/i)
  t.equal(redacted[7], 'read <data>/config.toml and /usr/bin/ffmpeg of https://example.org/a/b')
  t.equal(redacted[8], '<media>')
  t.end()
})

void t.test('with unknown folders each line ends at its first path', (t) => {
  const paths = { dataDirectory: '/data', folders: undefined }
  const text = `GET /api/v1/media of <data>\nopen '/srv/Bob's "films"/A Film.mkv' failed\n/usr/../srv/x\nend`
  t.equal(redactPathsInText(text, paths), `GET /api/v1/media of <data>\nopen '<path>\n<path>\nend`)
  t.equal(redactPathsInText('/data/logs: /srv/x', paths), '<data>/logs: <path>')
  t.end()
})

void t.test('the command for a newer release depends on the kind of the installation', (t) => {
  t.match(reinstallCommand('/usr/lib/phlix'), /^apt-get install /)
  t.match(reinstallCommand('/opt/phlix'), /^docker compose up /)
  t.match(reinstallCommand('/usr/local/lib/node_modules/phlix'), /^npm install --global /)
  t.match(reinstallCommand(), /^npm install --prefix \//, 'of a checkout')
  t.end()
})

void t.test('accounts are found by their number', (t) => {
  t.equal(accountName('root:x:0:0::/root:/bin/sh\nphlix:x:990:990::/:/bin/false\n', 990), 'phlix')
  t.equal(accountName('root:x:0:0::/root:/bin/sh\n', 1), null)
  t.end()
})
