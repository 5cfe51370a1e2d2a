import { randomUUID } from 'node:crypto'
import t from 'tap'
import { renderBandwidthBar } from '../../../src/commands/_support/output/describe-ladder.ts'
import { scanFilms } from '../../support/app.ts'
import { testDatabase } from '../../support/database.ts'
import { runPhlix } from '../../support/phlix.ts'
import { loadConfig } from '../../../src/core/platform/config/index.ts'
import { createLogger } from '../../../src/core/platform/logging/index.ts'
import { createSigningServices } from '../../../src/core/services.ts'
import { reachableDirectory } from '../../support/directories.ts'

const { environment } = await testDatabase(t)
const data = reachableDirectory(t)
const config = loadConfig({ dataDirectory: data, environment })
const services = await createSigningServices({ config, log: await createLogger(config, { level: 'critical' }) })
t.teardown(() => services.close())
const { idOf } = await scanFilms(t, services, { 'A film (1999).mkv': 'film-mkv', 'Noise (2000).mp4': 'noise-mp4' })
const run = (...words: string[]) => runPhlix(['media:explain', ...words, '--data-dir', data], { environment })

void t.test(
  'each rendition is shown with a bar of its bandwidth, and the reason why it is offered or not',
  async (t) => {
    const { code, stdout, stderr } = await run(idOf('A film'))
    t.equal(code, 0, stderr)
    const lines = stdout.split('\n')
    t.match(lines[0], /^A film: h264 High 640x360 24\/1, \d+ kb\/s, ac3 sound$/)
    t.equal(lines[1], 'web: at most 1920x1080, 12000 kb/s')
    t.match(lines[3], /^RUNG +SIZE +KB\/S +BANDWIDTH +IS +BECAUSE$/)
    t.match(
      lines[4],
      /^original +640x360 +\d+ +█{20} +Original \(360p\) +picture copied; sound encoded: it is ac3, not AAC$/,
    )
    t.match(stdout, /^1080p +1920x1080 +\? +dropped +higher than the source, which has 360 lines$/m)
    t.match(stdout, /^240p +426x240 +\d+ +█+[▏▎▍▌▋▊▉]? +240p +fits source and device$/m)
  },
)

void t.test('as JSON it is one document with every rendition, for any kind of device', async (t) => {
  const { code, stdout } = await run(idOf('A film'), '--profile', 'mobile-low', '--json')
  t.equal(code, 0)
  const document = JSON.parse(stdout) as { rungs: { id: string; is_kept: boolean }[] }
  t.match(document, {
    schema: 'media.explain/1',
    item_id: idOf('A film'),
    profile: { name: 'mobile-low', max_width: 854, max_height: 480, max_bitrate: 2_000_000 },
    source: { width: 640, height: 360, video_codec: 'h264', audio_codec: 'ac3' },
  })
  t.match(document.rungs[0], { id: 'original', is_kept: true, is_copy: true, audio: 'encode', codecs: String })
  t.strictSame(
    document.rungs.filter((rung) => rung.is_kept).map(({ id }) => id),
    ['original', '360p', '240p'],
  )
  const plain = await run(idOf('A film'), '--plain')
  t.equal(plain.stdout.trim().split('\n').length, document.rungs.length)
  t.equal(plain.stdout.split('\n')[0]?.split('\t').length, 6)
})

void t.test('a missing item and an item without video have separate exit codes', async (t) => {
  t.equal((await run(randomUUID())).code, 66)
  t.equal((await run('nonsense')).code, 66)
  const { code, stderr } = await run(idOf('Noise'))
  t.equal(code, 2)
  t.match(stderr, /no video of the item is known/)
  t.equal((await run(idOf('A film'), '--profile', 'toaster')).code, 2)
})

void t.test('bars are as long as their share, in eighths of a cell', (t) => {
  t.equal(renderBandwidthBar(1), '█'.repeat(20))
  t.equal(renderBandwidthBar(0.5), '█'.repeat(10))
  t.equal(renderBandwidthBar(0.51), `${'█'.repeat(10)}▎`)
  t.equal(renderBandwidthBar(0.000_01), '▏', 'a bar above 0 is visible')
  t.equal(renderBandwidthBar(0), '')
  t.equal(renderBandwidthBar(7), '█'.repeat(20))
  t.end()
})
