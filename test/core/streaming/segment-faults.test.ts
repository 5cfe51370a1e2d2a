import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { processInstanceId } from '../../../src/core/platform/spawn/index.ts'
import {
  countEncoders,
  removeAbandonedEncoders,
  transcodesDirectory,
} from '../../../src/core/streaming/job/job-directory.ts'
import type { EncoderStart, SegmentResult } from '../../../src/core/streaming/index.ts'
import { readSegmentFailure } from '../../../src/core/streaming/segments/failure-marker.ts'
import { writeStreamPlan } from '../../../src/core/streaming/job/stream-plan.ts'
import { getTranscodeProgress } from '../../../src/core/streaming/transcodes/transcode-progress.ts'
import { serve, settle } from './serve-segments.ts'
import { packetsOf } from './support.ts'

const shown = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.endsWith('.ts'))

/** Programs in place of ffmpeg, each with one kind of failure. */
const FAULTS: [name: string, script: string][] = [
  ['exits with 1 at the start (F-17)', 'exit 1'],
  ['is killed by SIGSEGV (F-17)', 'kill -SEGV $$'],
  ['is killed for want of memory (F-19)', 'kill -KILL $$'],
  ['exits with 0 and has made nothing (F-17)', 'exit 0'],
  ['lists pieces that are not there', 'echo "00000.ts,0.0,6.0"; exit 0'],
  ['lists numbers that were not requested', 'echo "99999.ts,0,6"; echo "-1.ts,0,6"; echo "00000.tsx"; exit 0'],
  ['prints a hundred megabytes of errors (F-18)', 'head -c 100000000 /dev/zero >&2; exit 1'],
  ['prints bytes and no lines (F-18)', 'head -c 10000000 /dev/urandom; exit 1'],
]

/** The folder of the pieces: that of the last argument. */
const FOLDER = 'for LAST in "$@"; do :; done; FOLDER=${LAST#file:}; FOLDER=${FOLDER%/*};'

void t.test('encoders that fail', async (t) => {
  const all = await serve(t, { limits: { stalledMilliseconds: 30_000 } })
  const { services, ask, starts, pids, directory, server, state, behave } = all

  for (const [name, script] of FAULTS) {
    await t.test(
      `when ffmpeg ${name}, a second attempt follows, then the failure is reported, marked and cached`,
      async (t) => {
        await behave(script)
        const reports: SegmentResult[] = []
        const report = (segment: SegmentResult) => reports.push(segment)
        server.listeners.add(report)
        const started: EncoderStart[] = []
        const note = (start: EncoderStart) => started.push(start)
        server.startListeners.add(note)
        await t.rejects(ask(0), { code: 'segment_failed', kind: 'failed' })
        t.match(reports, [{ kind: 'video', isMade: false }])
        server.listeners.delete(report)
        server.startListeners.delete(note)
        // A piece that is listed and not there counts as made: its absence is found later.
        const result = name.startsWith('lists pieces') ? 'made' : 'failed'
        const start: EncoderStart = { encoder: 'libx264', result }
        t.strictSame(started, [start, start])
        t.equal(starts(), 2)
        await t.rejects(ask(0), { code: 'segment_failed' })
        t.equal(starts(), 2)
        t.match(await readSegmentFailure(directory), { rendition: '90p', index: 0 })
        t.equal((await getTranscodeProgress(services, all.jobId)).status, 'failed')
        services.clock.advance(6)
        await t.rejects(ask(0), { code: 'segment_failed' })
        t.equal(starts(), 4)
        t.strictSame(await shown(directory), [])
        await settle(() => server.counts.encoders === 0)
      },
    )
  }

  await t.test('a failed job recovers, and its failure marker is removed', async (t) => {
    await behave('[ -e "$STATE/well" ] || exit 1')
    await t.rejects(ask(0), { code: 'segment_failed' })
    await writeFile(join(state, 'well'), '')
    services.clock.advance(6)
    t.ok(await ask(0))
    t.equal(await readSegmentFailure(directory), undefined)
    t.equal((await getTranscodeProgress(services, all.jobId)).status, 'running')
  })

  await t.test('segments of a killed encoder are made by another one (kill -9)', async (t) => {
    // The first process dies after it has reported one segment and written more.
    await behave(
      '[ -e "$STATE/died" ] && exec "$FFMPEG" "$@"; touch "$STATE/died"; "$FFMPEG" "$@" > "$STATE/list"; ' +
        'head -n1 "$STATE/list"; kill -KILL $$',
    )
    for (const path of await Promise.all([ask(0), ask(1)])) {
      t.equal((await packetsOf(path)).filter(({ kind }) => kind === 'video').length, 48)
    }
    t.ok(starts() >= 2)
  })

  await t.test(
    'a hanging encoder is ended with its child processes, and a second attempt follows (F-16)',
    async (t) => {
      await behave(
        'trap "" TERM; [ -e "$STATE/hung" ] && exec "$FFMPEG" "$@"; touch "$STATE/hung"; sleep 600 & ' +
          'echo $! >> "$STATE/starts"; wait',
      )
      const asked = ask(0)
      await settle(() => pids().length === 2)
      const hung = pids()
      // The watch runs once per second.
      const timer = setInterval(() => {
        // Not while the next process runs, which would also be considered hanging.
        if (!hung.every((pid) => isGone(pid))) services.clock.advance(31)
      }, 1500)
      t.teardown(() => clearInterval(timer))
      await settle(() => hung.every((pid) => isGone(pid)))
      clearInterval(timer)
      t.ok(await asked)
    },
  )

  await t.test(
    'a truncated segment from a full disk never becomes visible, although ffmpeg exits with 0 (F-07, F-17)',
    async (t) => {
      // As on a full disk: the end of the segment is missing, ffmpeg reports it, lists the piece and exits with 0.
      await behave(
        `[ -e "$STATE/room" ] && exec "$FFMPEG" "$@"; "$FFMPEG" "$@" > "$STATE/list"; ${FOLDER} ` +
          'for PIECE in "$FOLDER"/*.ts; do truncate -s -188 "$PIECE"; done; ' +
          'echo "av_interleaved_write_frame(): No space left on device" >&2; cat "$STATE/list"; exit 0',
      )
      await t.rejects(ask(0), { code: 'disk_space_low', kind: 'unavailable', retryAfterSeconds: 3 })
      t.strictSame(await shown(directory), [])
      t.equal(starts(), 1, 'no second try')
      await writeFile(join(state, 'room'), '')
      t.ok(await ask(0), 'the error is not cached: space may be available again')
    },
  )

  await t.test('a truncated piece never becomes visible, even if ffmpeg reports no error', async (t) => {
    for (const bytes of [100, 18_800, 188 * 100]) {
      await behave(
        `"$FFMPEG" "$@" > "$STATE/list"; ${FOLDER} for PIECE in "$FOLDER"/*.ts; do truncate -s -${bytes} "$PIECE"; ` +
          'done; cat "$STATE/list"; exit 0',
      )
      await t.rejects(ask(0), { code: 'segment_failed' }, `${bytes} bytes`)
      t.strictSame(await shown(directory), [])
    }
  })

  await t.test(
    'folders of dead processes are removed; finished segments and running encoders are kept (F-36)',
    async (t) => {
      await behave('')
      const dead = join(directory, '.head-999999999-1-x')
      const [pid, start] = processInstanceId().split('-')
      const beforeRestart = join(directory, `.head-${pid}-${start}-0123456789ab-x`)
      const older = join(directory, '.drafts-of-an-older-release')
      for (const folder of [dead, beforeRestart, older]) {
        await mkdir(folder)
        await writeFile(join(folder, '00000.ts'), 'half')
      }
      const finished = await ask(0)
      const living = (await readdir(directory)).filter((name) => name.startsWith(`.head-${processInstanceId()}`))
      t.equal(living.length, 1)
      t.equal(await countEncoders(directory), 1)
      t.equal(await removeAbandonedEncoders(transcodesDirectory(services.config)), 3)
      t.notOk(existsSync(dead) || existsSync(beforeRestart) || existsSync(older))
      t.ok(existsSync(finished) && existsSync(join(directory, living[0] ?? '')))
    },
  )

  await t.test('a link in place of a segment is not followed out of the cache', async (t) => {
    await behave('')
    await symlink('/etc/passwd', join(directory, 'seg-v90p-00000.ts'))
    await t.rejects(server.open({ jobId: all.jobId, rendition: '90p', index: 0 }), { code: 'path_outside_root' })
  })

  await t.test('a source that has become a link out of its library is not read', async (t) => {
    await behave('')
    await rm(all.source)
    await symlink('/etc/passwd', all.source)
    await t.rejects(ask(0), { code: 'path_outside_root' })
    t.equal(starts(), 0)
  })
})

function isGone(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

void t.test(
  'a missing program is reported as such; below the minimum of free space no encoder is started (F-07, F-20)',
  async (t) => {
    const { ask } = await serve(t, { flags: { 'media.ffmpeg': '/nonexistent/ffmpeg' } })
    await t.rejects(ask(0), { code: 'tool_missing' })
    const floor = String(Number.MAX_SAFE_INTEGER)
    const full = await serve(t, { flags: { 'hls.min_disk_space_bytes': floor, 'hls.transcode_timeout_seconds': '60' } })
    await t.rejects(full.ask(0), { code: 'disk_space_low', kind: 'unavailable', retryAfterSeconds: 3 })
    t.equal(full.starts(), 0)
  },
)

void t.test('no encoder runs longer than hls.transcode_timeout_seconds allows (F-16)', async (t) => {
  const { services, ask, pids } = await serve(t, {
    script: 'exec sleep 600',
    flags: { 'hls.transcode_timeout_seconds': '60' },
    limits: { stalledMilliseconds: Number.MAX_SAFE_INTEGER },
  })
  const asked = t.rejects(ask(0), { code: 'segment_failed', cause: { message: /ran too long/ } })
  const timer = setInterval(() => services.clock.advance(61), 500)
  t.teardown(() => clearInterval(timer))
  await asked
  t.equal(pids().length, 2)
})

void t.test(
  'a full disk never exposes a truncated segment, and serving resumes when space is available (F-07)',
  async (t) => {
    const { services, ask, directory, plan } = await serve(t, {
      isLong: true,
      flags: { 'hls.min_disk_space_bytes': '0' },
    })
    const mount = (...words: string[]): boolean => spawnSync('mount', words, { stdio: 'ignore' }).status === 0
    if (!mount('-t', 'tmpfs', '-o', 'size=64k', 'phlix-test', directory)) {
      t.comment('this account may not mount')
      return
    }
    t.teardown(() => spawnSync('umount', ['-l', directory], { stdio: 'ignore' }))
    // Space for a part of the piece, for the piece alone, and for the piece and a part of the segment.
    for (const kibibytes of [64, 128, 220, 320]) {
      mount('-o', `remount,size=${kibibytes}k`, directory)
      await writeStreamPlan(directory, plan).catch(() => {})
      const outcome = await ask(0).catch((error: unknown) => error)
      if (typeof outcome === 'string')
        t.equal((await packetsOf(outcome)).filter(({ kind }) => kind === 'video').length, 144)
      else t.match(outcome, { code: 'disk_space_low', retryAfterSeconds: 3 }, `${kibibytes} KiB`)
      for (const name of await shown(directory)) await rm(join(directory, name))
    }
    mount('-o', 'remount,size=64m', directory)
    services.clock.advance(6)
    t.ok(await ask(0))
  },
)

void t.test(
  'a cache without inodes or on a read-only disk is reported as such, and serving resumes afterwards (F-11)',
  async (t) => {
    const { services, ask, directory, plan } = await serve(t, { flags: { 'hls.min_disk_space_bytes': '0' } })
    const mount = (...words: string[]): boolean => spawnSync('mount', words, { stdio: 'ignore' }).status === 0
    if (!mount('-t', 'tmpfs', '-o', 'size=64m,nr_inodes=4', 'phlix-test', directory)) {
      t.comment('this account may not mount')
      return
    }
    t.teardown(() => spawnSync('umount', ['-l', directory], { stdio: 'ignore' }))
    await writeStreamPlan(directory, plan)
    t.match(await ask(0).catch((error: unknown) => error), { code: 'disk_space_low', retryAfterSeconds: 3 })
    t.strictSame(await shown(directory), [])
    // The encoder may still hold a file open.
    await settle(() => mount('-o', 'remount,nr_inodes=1000,ro', directory))
    services.clock.advance(6)
    t.match(await ask(0).catch((error: unknown) => error), {
      code: 'segment_failed',
      cause: { message: new RegExp(`EROFS: .*${directory}/`) },
    })
    mount('-o', 'remount,rw', directory)
    services.clock.advance(6)
    t.ok(await ask(0))
  },
)
