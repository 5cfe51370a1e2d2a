import t from 'tap'
import { createEmbeddedSubtitleReader } from '../../../src/core/subtitles/index.ts'
import { sampleMedia } from '../../support/media.ts'
import { streamingServices } from '../streaming/film-item.ts'

void t.test(
  'a request that waits too long for a very large film gets an error; reading continues once and is cached',
  async (t) => {
    const services = await streamingServices(t)
    const gate = Promise.withResolvers<void>()
    let runs = 0
    const mediaTools: Pick<typeof services.mediaTools, 'encode'> = {
      async encode(...words) {
        runs += 1
        await gate.promise
        return services.mediaTools.encode(...words)
      },
    }
    const texts = createEmbeddedSubtitleReader({ ...services, mediaTools }, { waitMilliseconds: 50 })
    t.teardown(() => texts.close())
    const path = await sampleMedia('film-subtitles-mkv')
    const streams = [2, 3].map((streamIndex) => ({ streamIndex, codec: streamIndex === 2 ? 'subrip' : 'ass' }))
    const read = (wanted: number) => texts.read({ path, stamp: '1', streams, wanted })
    for (const wanted of [2, 3, 2]) {
      await t.rejects(read(wanted), { code: 'subtitle_in_progress', kind: 'busy', retryAfterSeconds: 10 })
    }
    gate.resolve()
    const untilRead = async (wanted: number): Promise<string> => {
      for (;;) {
        try {
          return (await read(wanted)).toString()
        } catch (error) {
          t.match(error, { code: 'subtitle_in_progress' })
        }
      }
    }
    t.match(await untilRead(2), /Hello/)
    t.match(await untilRead(3), /Hallo/)
    t.equal(runs, 1)
  },
)
