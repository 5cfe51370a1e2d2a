import t from 'tap'
import { describeDevice, computeDeviceDigest } from '../../../src/core/accounts/describe-device.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36'
const AGENTS: readonly (readonly [userAgent: string, name: string, type: string])[] = [
  [CHROME, 'Chrome on Windows', 'browser'],
  [`${CHROME} Edg/143.0`, 'Edge on Windows', 'browser'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux', 'browser'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
    'phone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/143.0 Mobile Safari/537.36',
    'Chrome on Android',
    'phone',
  ],
  [
    'Mozilla/5.0 (SMART-TV; LINUX; Tizen 8.0) AppleWebKit/537.36 Chrome/108.0 Safari/537.36',
    'Samsung television',
    'tv',
  ],
  ['Roku/DVP-12.0 (12.0.0.4182-88)', 'Roku', 'tv'],
  ['curl/8.14.1', 'curl', 'app'],
  ['', 'Unknown device', 'app'],
]

void t.test('a device is described by its User-Agent if the client says nothing', async (t) => {
  for (const [userAgent, name, type] of AGENTS) t.strictSame(describeDevice({ userAgent }), { id: null, name, type })
})

void t.test(
  'what the client says comes first, without characters that hide or reorder text, and shortened',
  async (t) => {
    const said = describeDevice({
      id: 'tv-1',
      name: 'Living\u202E room\u0000\n TV',
      type: 'samsung-tizen',
      userAgent: CHROME,
    })
    t.strictSame(said, { id: 'tv-1', name: 'Living room TV', type: 'samsung-tizen' })
    const long = describeDevice({ id: 'i'.repeat(9999), name: '😀'.repeat(9999), type: 't'.repeat(9999) })
    t.strictSame([long.id?.length, Array.from(long.name).length, long.type.length], [255, 100, 50])
    t.match(describeDevice({ id: '\u200B', name: ' \n', type: '', userAgent: CHROME }), {
      id: null,
      name: 'Chrome on Windows',
    })
  },
)

void t.test('a User-Agent of any length is read at once', async (t) => {
  t.equal(describeDevice({ userAgent: `${'('.repeat(1_000_000)}Firefox` }).name, 'Unknown device')
})

void t.test('a device is recognised by its id, or by its description at one address', async (t) => {
  const [withId, without] = [describeDevice({ id: 'a', userAgent: CHROME }), describeDevice({ userAgent: CHROME })]
  t.strictSame(computeDeviceDigest(withId, '192.0.2.1'), computeDeviceDigest({ ...withId, name: 'x' }, '192.0.2.9'))
  t.notSame(computeDeviceDigest(withId, null), computeDeviceDigest(describeDevice({ id: 'b' }), null))
  t.strictSame(computeDeviceDigest(without, '192.0.2.1'), computeDeviceDigest({ ...without }, '192.0.2.1'))
  t.notSame(computeDeviceDigest(without, '192.0.2.1'), computeDeviceDigest(without, '192.0.2.9'))
  const claimed = describeDevice({ id: JSON.stringify(['derived', without.name, without.type, '192.0.2.1']) })
  t.notSame(
    computeDeviceDigest(claimed, '192.0.2.1'),
    computeDeviceDigest(without, '192.0.2.1'),
    'an id cannot pretend to be one',
  )
})
