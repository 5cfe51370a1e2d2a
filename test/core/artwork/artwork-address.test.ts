import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createSignedAddressCache } from '../../../src/core/artwork/artwork-address.ts'
import { createUrlSigner } from '../../../src/core/platform/keys/index.ts'
import { movableClock } from '../../support/records.ts'

const picture = (index: number) => ({ ownerId: `owner-${index}`, kind: 'poster', stamp: 'a' }) as const

void t.test('above the maximum number of addresses the least recently used one is made again', (t) => {
  const signer = createUrlSigner({ secret: randomBytes(32), clock: movableClock() })
  const addressOf = createSignedAddressCache()
  const made = [0, 1].map((index) => addressOf(signer, picture(index)))
  for (let index = 2; index < 10_000; index += 1) addressOf(signer, picture(index))
  t.equal(addressOf(signer, picture(0)), made[0], 'ten thousand addresses fit')
  addressOf(signer, picture(10_000))
  t.equal(addressOf(signer, picture(0)), made[0])
  const again = addressOf(signer, picture(1))
  t.not(again, made[1])
  t.strictSame(again, made[1])
  t.end()
})
