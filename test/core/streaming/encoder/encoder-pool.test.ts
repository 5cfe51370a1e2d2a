import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { engine } from '../engine.ts'
import { handMadeJob } from '../hand-made-job.ts'
import { settle } from '../serve-segments.ts'
import { ffmpeg } from '../support.ts'
import { makeFilm } from '../test-films.ts'

/** Nine segments of very small video. */
async function longFilm(): Promise<string> {
  return makeFilm('filmLong')
}

void t.test('encoders of one pool', async (t) => {
  const job = await handMadeJob(await longFilm())

  await t.test('an encoder continues through the film, and serves a request at most one segment ahead', async (t) => {
    const { make, starts, encoders, count } = await engine(t, job)
    t.equal(count('90p'), 9)
    for (const index of [0, 1, 3, 4]) await make('90p', index)
    t.equal(starts.length, 1)
    await make('90p', 2)
    t.equal(starts.length, 1, 'it had made that too')
    t.strictSame(encoders.counts, { encoders: 1, suspended: 1 })
  })

  await t.test(
    'a single request never ends a player’s encoder; a third position replaces the least used one',
    async (t) => {
      const { make, starts, encoders } = await engine(t, job)
      await make('90p', 0)
      await make('90p', 1)
      await make('90p', 7)
      t.strictSame(encoders.counts, { encoders: 2, suspended: 2 })
      await make('90p', 2)
      t.equal(starts.length, 2, 'the useful one is still there')
      await make('90p', 5)
      t.equal(starts.length, 3)
      await settle(() => encoders.counts.encoders === 2)
      await make('90p', 3)
      t.equal(starts.length, 3, 'the stray one made room')
    },
  )

  await t.test('existing segments are not made again', async (t) => {
    const { make, starts, encoders } = await engine(t, job)
    await make('90p', 3)
    await make('90p', 1)
    t.match(starts[1], /-segment_frames 150 /, 'up to the existing segment')
    await make('90p', 2)
    await settle(() => encoders.counts.encoders === 1)
    t.equal(starts.length, 2)
  })

  await t.test('while both encoders are busy, further segments are made by single encoders', async (t) => {
    const { make, starts } = await engine(t, job)
    await Promise.all([0, 3, 6, 8].map((index) => make('90p', index)))
    t.equal(starts.length, 4)
  })

  await t.test('suspended encoders above the limit are ended, the least recently used first', async (t) => {
    const { make, encoders, starts } = await engine(t, job, { suspendedEncoders: 1 })
    await make('90p', 0)
    await make('180p', 0)
    await settle(() => encoders.counts.encoders === 1)
    await make('180p', 1)
    t.equal(starts.length, 2)
    await make('90p', 1)
    t.equal(starts.length, 3)
  })

  await t.test('an idle encoder is ended and leaves no files', async (t) => {
    const { make, encoders, directory } = await engine(t, job, { idleMilliseconds: 0 })
    await make('90p', 0)
    const folders = async (): Promise<number> =>
      (await readdir(directory)).filter((name) => name.startsWith('.head-')).length
    await settle(async () => encoders.counts.encoders === 0 && (await folders()) === 0)
    t.ok(await make('90p', 1), 'the next request starts another')
  })

  await t.test('a folder with any name is written to, and a film with any name is read', async (t) => {
    const odd = `-i %d%05d 'a' "b" $(id) ;|\n é`
    const inside = await engine(t, job)
    const directory = join(inside.directory, odd)
    mkdirSync(directory)
    const source = join(directory, `${odd}.mp4`)
    await ffmpeg('-i', job.source.path, '-c', 'copy', '-f', 'mp4', `file:${source}`)
    const { make, encoders } = await engine(
      t,
      await handMadeJob(`file:${source}`, { source: { path: source, root: directory } }),
      {},
      directory,
    )
    for (const id of ['90p', 'original']) t.ok(existsSync(await make(id, 1)), id)
    await encoders.close()
    t.notOk((await readdir(directory)).some((name) => name.startsWith('.head-')))
    rmSync(directory, { recursive: true })
  })
})
