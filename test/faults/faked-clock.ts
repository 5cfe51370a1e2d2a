import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'
import { startDaemon, stopDaemon } from '../support/daemon.ts'
import { testDatabase } from '../support/database.ts'
import { reachableDirectory } from '../support/directories.ts'
import { JUMPS } from '../support/jumping-clock.ts'
import { temporaryDataDirectory } from '../support/phlix.ts'

/** Paths of Debian's package `libfaketime`, which `faketime` depends on. */
const LIBRARIES = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu'].map((folder) =>
  join(folder, 'faketime/libfaketimeMT.so.1'),
)

/** The reason to skip the soak; false if the library is installed. */
export function unlessClockCanBeFaked(): string | false {
  return libraryPath() === undefined ? 'libfaketime is not on this machine' : false
}

function libraryPath(): string | undefined {
  return LIBRARIES.find((path) => existsSync(path))
}

const OBSERVED_MILLISECONDS = 5000
/** An idle daemon uses some percent of a processor at most; a busy loop uses all of it. */
const MAX_PROCESSOR_SHARE = 0.5
const TICKS_PER_SECOND = 100
/** A time zone with daylight saving time. */
const ZONE = 'Europe/Berlin'

/**
 * Changes the clock of a running daemon: logins and requests still work, no time is negative, and the daemon stays idle. Its timers and its
 * database keep the real time, as on a machine whose clock is changed.
 */
export async function setClockOfDaemon(t: Test): Promise<void> {
  const { environment } = await testDatabase(t)
  const clockFile = join(reachableDirectory(t), 'clock')
  const setClock = (time: string): void => writeFileSync(clockFile, `${time}\n`)
  setClock('+0')
  const daemon = await startDaemon(await temporaryDataDirectory(t), {
    ...environment,
    LD_PRELOAD: libraryPath() ?? '',
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    TZ: ZONE,
  })
  t.teardown(() => stopDaemon(daemon))
  const account = { username: 'ann', email: 'ann@example.test', password: 'correct horse' }
  const ask = async (method: string, path: string, { token, body }: { token?: string; body?: object } = {}) => {
    const reply = await fetch(`${daemon.address}/api/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, headers: reply.headers, json: (await reply.json()) as Record<string, unknown> }
  }
  const registered = await ask('POST', '/auth/register', { body: account })
  t.equal(registered.status, 201)
  let token = String(registered.json['access_token'])
  const uptime = async (): Promise<number> =>
    Number((await ask('GET', '/admin/server/status', { token })).json['uptime'])
  const pid = daemon.child.pid ?? 0
  let last = await uptime()
  for (const { name, to } of JUMPS) {
    setClock(typeof to === 'number' ? `${to > 0 ? '+' : ''}${to}` : `@${localTime(to)}`)
    const login = await ask('POST', '/auth/login', { body: account })
    t.equal(login.status, 200, `${name}: a login`)
    token = String(login.json['access_token'])
    t.comment(`${name}: the daemon's clock is at ${issuedAt(token)}`)
    t.equal((await ask('GET', '/auth/me', { token })).status, 200, 'its token')
    const before = processorSeconds(pid)
    await pause(OBSERVED_MILLISECONDS)
    const share = ((processorSeconds(pid) - before) * 1000) / OBSERVED_MILLISECONDS
    t.ok(share < MAX_PROCESSOR_SHARE, `no busy loop: ${share.toFixed(2)} of a processor`)
    const seconds = await uptime()
    t.ok(seconds >= last && seconds < last + 120, `it runs for ${seconds} s`)
    last = seconds
    let refused = 0
    for (let count = 0; count < 125 && refused === 0; count += 1) {
      const reply = await fetch(`${daemon.address}/.well-known/jwks.json`)
      await reply.text()
      if (reply.status === 429) refused = Number(reply.headers.get('retry-after'))
    }
    t.ok(refused >= 1 && refused <= 60, `Retry-After: ${refused}`)
  }
  t.equal(daemon.child.exitCode, null)
  t.notMatch(daemon.log(), /"level":"(error|critical|alert|emergency)"/)
  const durations = [...daemon.log().matchAll(/"milliseconds":(-?\d+)/g)].map(([, found]) => Number(found))
  t.ok(
    durations.every((duration) => duration >= 0 && duration < 120_000),
    `${durations.length} durations`,
  )
}

/** In the format of libfaketime: `2027-03-28 01:59:58`. */
function localTime(time: string): string {
  return new Date(time).toLocaleString('sv-SE', { timeZone: ZONE })
}

/** The issue time of a token in the daemon's time. */
function issuedAt(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { iat: number }
  return new Date(claims.iat * 1000).toISOString()
}

/** Processor time of a process so far (proc(5), stat: utime and stime; the name before them may contain blanks). */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
