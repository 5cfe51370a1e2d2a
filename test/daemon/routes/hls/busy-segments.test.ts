import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pick, scanFilms, startApp, type Answer } from '../../../support/app.ts'
import { reachableDirectory } from '../../../support/directories.ts'
import { testServices } from '../../../support/services.ts'

void t.test(
  'of twenty segments at once eight are made, twelve are 503 with the time to wait, uncached, and served when asked again',
  async (t) => {
    const state = reachableDirectory(t)
    const [program, gate] = [join(state, 'encoder'), join(state, 'gate')]
    const wait = `until [ -e '${gate}' ]; do sleep 0.05; done`
    writeFileSync(program, `#!/bin/sh\n${wait}\nexec ffmpeg "$@"\n`, { mode: 0o755 })
    const server = await startApp(t, { services: await testServices(t, { flags: { 'media.ffmpeg': program } }) })
    const { ask, services } = server
    // Ten films of one segment, each copied and encoded.
    const films = Array.from({ length: 10 }, (_, number) => [`Film ${number} (2001).mp4`, 'film-tiny-mp4'] as const)
    const { items } = await scanFilms(t, services, Object.fromEntries(films))
    const { token } = await server.registerUser()
    const wanted: string[] = []
    for (const { id } of items) {
      const { json } = await ask('POST', `/api/v1/media/${id}/transcode`, { token })
      const master = String(pick(json, 'master_url'))
      for (const name of ['original', '180p']) wanted.push(master.replace('master.m3u8', `seg-v${name}-00000.ts`))
    }
    t.equal(wanted.length, 20)

    const refused = new Map<string, Answer>()
    const twelve = Promise.withResolvers<void>()
    const first = wanted.map(async (path) => {
      const answer = await ask('GET', path)
      if (answer.status === 503) refused.set(path, answer)
      if (refused.size === 12) twelve.resolve()
      return answer
    })
    await twelve.promise
    t.equal(services.segments.counts.wanted, 8)
    writeFileSync(gate, '')
    t.equal((await Promise.all(first)).filter(({ status }) => status === 200).length, 8)

    t.equal(refused.size, 12)
    for (const answer of refused.values()) {
      t.match(answer.json, { code: 'segment_busy' })
      t.equal(answer.headers.get('retry-after'), '2')
      t.equal(answer.headers.get('cache-control'), 'no-store')
      t.equal(answer.headers.get('etag') ?? answer.headers.get('last-modified'), null)
    }
    for (const path of refused.keys()) {
      const again = await ask('GET', path)
      t.equal(again.status, 200, path)
      t.match(again.headers.get('cache-control'), /immutable/)
    }
    t.equal(services.segments.counts.wanted, 0)
  },
)
