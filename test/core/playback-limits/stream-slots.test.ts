import { sql } from 'slonik'
import t from 'tap'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { createStreamSlots, findPlaybackLimits, setStreamLimits } from '../../../src/core/playback-limits/index.ts'
import { makeLibrary, movableClock } from '../../support/records.ts'
import { testServices } from '../../support/services.ts'

void t.test('a clock that is set back frees the places of before', async (t) => {
  const clock = movableClock()
  const services = await testServices(t, { clock })
  const { db } = services
  const input = { username: 'kim', email: 'kim@example.test', password: 'correct horse', isAdmin: false }
  const { id: accountId } = await createAccount(services, input)
  const library = await makeLibrary(db, t.testdir(), 'Films')
  const itemId = String(
    await db.oneFirst(sql.unsafe`
      insert into media_items (library_id, type, name, sort_title, added_at, created_at, updated_at)
      values (${library.id}, 'movie', 'a', 'a', now(), now(), now()) returning id`),
  )
  await setStreamLimits(services, { owner: { accountId }, accountId, changes: { maxStreams: 1 } })
  const limits = (await findPlaybackLimits(db, { profileIds: [accountId], zone: 'UTC' })).get(accountId)
  if (limits === undefined) throw new Error('no limits')
  const slots = createStreamSlots({ db, clock })
  await slots.hold({ limits, device: 's1', itemId, seenBy: db })
  clock.advance(-10)
  await t.rejects(
    slots.hold({ limits, device: 's2', itemId, seenBy: db }),
    { code: 'StreamLimitExceeded' },
    'clocks are not exact',
  )
  clock.advance(-3600)
  await slots.hold({ limits, device: 's2', itemId, seenBy: db })
})
