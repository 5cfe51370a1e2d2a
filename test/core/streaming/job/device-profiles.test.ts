import t from 'tap'
import { resolveDeviceProfile } from '../../../../src/core/streaming/job/device-profiles.ts'

void t.test('an explicit profile wins over the device type', (t) => {
  t.equal(resolveDeviceProfile({ profile: 'mobile-low', deviceType: 'tizen' }).name, 'mobile-low')
  t.end()
})

void t.test('without an explicit profile the device type decides', (t) => {
  const cases: [deviceType: string | undefined, name: string][] = [
    ['tizen', 'tv-4k'],
    ['samsung-tizen', 'tv-4k'],
    ['roku', 'tv-4k'],
    ['android', 'mobile-high'],
    ['ios', 'mobile-high'],
    ['windows', 'generic'],
    ['Android', 'mobile-high'],
    ['linux', 'web'],
    ['constructor', 'web'],
    ['', 'web'],
    [undefined, 'web'],
  ]
  for (const [deviceType, name] of cases) t.equal(resolveDeviceProfile({ deviceType }).name, name, String(deviceType))
  t.end()
})

void t.test('an unknown profile is ignored', (t) => {
  for (const profile of ['', 'nope', '__proto__', 'toString']) {
    t.equal(resolveDeviceProfile({ profile, deviceType: 'roku' }).name, 'tv-4k', profile)
  }
  t.end()
})
