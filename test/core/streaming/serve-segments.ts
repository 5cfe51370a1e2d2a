import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createMediaTools } from '../../../src/core/platform/media-tools/index.ts'
import { jobDirectory } from '../../../src/core/streaming/job/job-directory.ts'
import { insertTranscodeJob } from '../../../src/core/streaming/job/queries.ts'
import { SegmentServer, type SegmentLimits } from '../../../src/core/streaming/segments/segment-server.ts'
import { writeStreamPlan } from '../../../src/core/streaming/job/stream-plan.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { addFilm, streamingServices } from './film-item.ts'
import { handMadeJob } from './hand-made-job.ts'
import { makeFilm, remuxFilm } from './test-films.ts'
import { waitUntil } from '../../support/wait-until.ts'

type Setup = {
  /** Segments of six seconds, as in production, of a film of 14 s; otherwise of two seconds, of a film of 5 s. Three in both cases. */
  isLong?: boolean
  flags?: Record<string, string>
  limits?: Partial<SegmentLimits>
  /** Lines of a shell script in place of ffmpeg; `$FFMPEG` is the real one, `$STATE` a persistent folder. */
  script?: string
}

/** A server for a job with two rungs, the copied original and the real encoder, or a script around it. */
export async function serve(t: Test, { isLong = false, flags = {}, limits, script }: Setup = {}) {
  const state = reachableDirectory(t)
  const program = writeProgram(state, script ?? '[ -e "$STATE/script" ] && . "$STATE/script"; exec "$FFMPEG" "$@"')
  const whole = await streamingServices(t, { 'media.ffmpeg': program, ...flags })
  // The item is made by the real tools, regardless of the script.
  const { itemId, path: source } = await addFilm(
    t,
    whole,
    isLong ? await makeFilm('film') : await remuxFilm('film', '.mp4', ['-t', '5']),
  )
  const services = { ...whole, mediaTools: createMediaTools(whole) }
  const plan = await handMadeJob(source, isLong ? {} : { segmentSeconds: 2, copySeconds: 2 })
  const id = randomUUID()
  const directory = jobDirectory(services.config, id)
  mkdirSync(directory, { recursive: true })
  await writeStreamPlan(directory, plan)
  const createdAt = services.clock.now()
  const row = { id, mediaItemId: itemId, profile: 'web', status: 'running', variants: [], createdAt } as const
  await insertTranscodeJob(services.db, row)
  const server = new SegmentServer(services, limits)
  t.teardown(() => server.close())
  const ask = (index: number, options: { signal?: AbortSignal; rendition?: string } = {}): Promise<string> =>
    server.segment({ jobId: id, rendition: options.rendition ?? '90p', index }, options.signal)
  return {
    services,
    server,
    directory,
    source,
    ask,
    jobId: id,
    state,
    plan,
    /** Number of encoder starts. */
    starts: () => readLines(join(state, 'starts')).length,
    /** Process ids of all started encoders. */
    pids: () => readLines(join(state, 'starts')).map(Number),
    /** Replaces the behaviour of ffmpeg by lines of a shell script and resets its state. */
    behave: async (next: string) => {
      await server.endJob(id)
      for (const name of readdirSync(directory)) if (name.endsWith('.ts')) rmSync(join(directory, name))
      for (const name of readdirSync(state)) if (name !== 'encoder') rmSync(join(state, name))
      writeFileSync(join(state, 'script'), next)
      services.clock.advance(60)
    },
    /** Releases the processes that wait at the gate. */
    openGate: () => writeFileSync(join(state, 'gate'), ''),
  }
}

/** Waits at the gate before doing anything. */
export const GATED = 'until [ -e "$STATE/gate" ]; do sleep 0.05; done; exec "$FFMPEG" "$@"'

/** Real time, so that the encoder cannot reach the end before the server notices that no caller waits. */
export const UNHURRIED = 'exec "$FFMPEG" -readrate 1 "$@"'

function writeProgram(state: string, script: string): string {
  const path = join(state, 'encoder')
  const head = `#!/bin/sh\nSTATE='${state}'\nFFMPEG=ffmpeg\necho $$ >> "$STATE/starts"\n`
  writeFileSync(path, `${head}${script}\n`)
  chmodSync(path, 0o755)
  return path
}

function readLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
}

/** Waits for a condition; keeps the event loop alive meanwhile. */
export async function settle(isDone: () => boolean | Promise<boolean>): Promise<void> {
  await waitUntil(String(isDone), isDone)
}
