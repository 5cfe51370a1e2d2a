import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createMediaTools } from '../../../src/core/platform/media-tools/index.ts'
import { jobDirectory } from '../../../src/core/streaming/job-directory.ts'
import { insertJob } from '../../../src/core/streaming/queries.ts'
import { SegmentServer, type SegmentLimits } from '../../../src/core/streaming/segment-server.ts'
import { writeStreamJob } from '../../../src/core/streaming/stream-job.ts'
import { reachableDirectory } from '../../support/directories.ts'
import { addFilm, streamingServices } from './film-item.ts'
import { handMadeJob } from './hand-made-job.ts'
import { makeFilm } from './test-films.ts'
import { waitUntil } from '../../support/wait-until.ts'

type Setup = {
  /** The film; the usual one has three segments of 24000/1001 frames per second. */
  film?: string
  flags?: Record<string, string>
  limits?: Partial<SegmentLimits>
  /** Lines of a shell script in place of ffmpeg; `$FFMPEG` is the real one, `$STATE` a folder that lasts. */
  script?: string
}

/** A server over a job with two rungs, the copied original and the real encoder, or a script around it. */
export async function serve(t: Test, { film, flags = {}, limits, script }: Setup = {}) {
  const state = reachableDirectory(t)
  const program = writeProgram(state, script ?? '[ -e "$STATE/script" ] && . "$STATE/script"; exec "$FFMPEG" "$@"')
  const whole = await streamingServices(t, { 'media.ffmpeg': program, ...flags })
  // The item is made by the real tools, whatever plays ffmpeg afterwards.
  const { itemId, path: source } = await addFilm(t, whole, film ?? (await makeFilm('film')))
  const services = { ...whole, mediaTools: createMediaTools(whole) }
  const plan = await handMadeJob(source)
  const id = randomUUID()
  const directory = jobDirectory(services.config, id)
  mkdirSync(directory, { recursive: true })
  await writeStreamJob(directory, plan)
  const createdAt = services.clock.now()
  const row = { id, mediaItemId: itemId, profile: 'web', status: 'running', variants: [], createdAt } as const
  await insertJob(services.db, row)
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
    /** How often the encoder was started. */
    starts: () => readLines(join(state, 'starts')).length,
    /** Process ids of all that were started. */
    pids: () => readLines(join(state, 'starts')).map(Number),
    /** What ffmpeg does from now on: lines of a shell script. Nothing is left of what it did before. */
    behave: async (next: string) => {
      await server.endJob(id)
      for (const name of readdirSync(directory)) if (name.endsWith('.ts')) rmSync(join(directory, name))
      for (const name of readdirSync(state)) if (name !== 'encoder') rmSync(join(state, name))
      writeFileSync(join(state, 'script'), next)
      services.clock.advance(60)
    },
    /** Lets those go on that wait at the gate. */
    openGate: () => writeFileSync(join(state, 'gate'), ''),
  }
}

/** Waits at the gate before it does anything. */
export const GATED = 'until [ -e "$STATE/gate" ]; do sleep 0.05; done; exec "$FFMPEG" "$@"'

/** Three times as fast as the film plays, so that it cannot come to the end before somebody notices that nobody waits. */
export const UNHURRIED = 'exec "$FFMPEG" -readrate 3 "$@"'

function writeProgram(state: string, script: string): string {
  const path = join(state, 'encoder')
  const head = `#!/bin/sh\nSTATE='${state}'\nFFMPEG=/usr/bin/ffmpeg\necho $$ >> "$STATE/starts"\n`
  writeFileSync(path, `${head}${script}\n`)
  chmodSync(path, 0o755)
  return path
}

function readLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
}

/** Waits until something is so; the event loop has to be kept alive meanwhile. */
export async function settle(isDone: () => boolean | Promise<boolean>): Promise<void> {
  await waitUntil(String(isDone), isDone)
}
