import t from 'tap'
import { exportAccount } from '../../../src/core/account-export/index.ts'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { EVERYTHING } from '../../../src/core/access/index.ts'
import { readScheduleText, setStreamLimits, writeSchedules } from '../../../src/core/playback-limits/index.ts'
import { createProfile } from '../../../src/core/profiles/index.ts'
import { testServices } from '../../support/services.ts'

void t.test('an export has all limits of the account and of its profiles', async (t) => {
  const services = await testServices(t)
  const limits = { mayDownload: false, streams: { maxStreams: 2 }, schedules: [readScheduleText('daily 06:00-23:00')] }
  const names = { username: 'ann', email: 'ann@example.test', password: 'correct horse', isAdmin: false }
  const access = { ...EVERYTHING, blockedTags: ['gore'] }
  const { id } = await createAccount(services, { ...names, access, limits })
  const profile = await createProfile(services, {
    accountId: id,
    fields: { name: 'Kim', isKids: true, limits: { blockedTags: ['zombies'], allowedTags: [['kids', 'family']] } },
    pin: '2580',
  })
  const owner = { profileId: profile.id }
  await setStreamLimits(services, { owner, accountId: id, changes: { maxKbps: 8000 } })
  const schedules = [readScheduleText('mon-fri 07:00-20:00 Europe/Berlin')]
  const now = services.clock.now()
  await services.db.transaction((connection) => writeSchedules(connection, { profile, schedules, now }))

  let text = ''
  for await (const chunk of await exportAccount(services, { accountId: id })) text += chunk
  const none = { max_concurrent_streams: null, max_total_bandwidth_kbps: null }
  const exported = JSON.parse(text) as { profiles: { is_main: boolean }[] }
  exported.profiles.sort((one, other) => Number(other.is_main) - Number(one.is_main))
  t.match(exported, {
    account: {
      access: { blocked_tags: ['gore'] },
      can_download: false,
      stream_limits: { max_concurrent_streams: 2, max_total_bandwidth_kbps: null },
    },
    profiles: [
      { id, is_main: true, has_pin: false, can_download: true, max_age: null, library_ids: null, stream_limits: none },
      {
        id: profile.id,
        has_pin: true,
        can_download: false,
        library_ids: null,
        max_age: 7,
        allow_unrated: false,
        blocked_tags: ['zombies'],
        allowed_tags: ['family', 'kids'],
        stream_limits: { max_concurrent_streams: null, max_total_bandwidth_kbps: 8000 },
      },
    ],
    schedules: [
      { profile_id: id, start_time: '06:00', end_time: '23:00', time_zone: null, is_active: true },
      {
        profile_id: profile.id,
        start_time: '07:00',
        end_time: '20:00',
        days_of_week: ['mon', 'tue', 'wed', 'thu', 'fri'],
        time_zone: 'Europe/Berlin',
      },
    ],
  })
  t.notMatch(text, /argon2/)
})
