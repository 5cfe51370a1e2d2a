import t from 'tap'
import {
  listFavourites,
  markUnwatched,
  markWatched,
  rateItem,
  readUserData,
  setFavourite,
  setLikeLevel,
  type UserData,
  type UserItemKey,
} from '../../../src/core/user-items/index.ts'
import { twoAccounts } from './two-accounts.ts'

const WRITES = 200

type Word = {
  say: (services: Parameters<typeof setFavourite>[0], key: UserItemKey) => Promise<void>
  effect: Partial<UserData>
}

/** A write of each kind by its number; consecutive ones contradict each other. */
function wordOf(number: number): Word {
  const isOn = number % 3 !== 0
  const [rating, level] = [(number % 10) + 1, (number % 5) - 2]
  const words: Word[] = [
    { say: (services, key) => setFavourite(services, { ...key, isFavourite: isOn }), effect: { isFavourite: isOn } },
    { say: (services, key) => rateItem(services, { ...key, rating }), effect: { rating } },
    { say: (services, key) => setLikeLevel(services, { ...key, level }), effect: { likeLevel: level } },
    { say: isOn ? markWatched : markUnwatched, effect: { isWatched: isOn } },
  ]
  return words[number % words.length] as Word
}

void t.test('two accounts that write at the same time never affect each other (AZ-10)', async (t) => {
  const { services, ada, bob, items } = await twoAccounts(t, 5)
  const accounts = [ada, bob] as const
  const model = new Map<string, UserData>()
  for (const profileId of accounts) {
    for (const itemId of items) {
      model.set(`${profileId} ${itemId}`, { isFavourite: false, rating: null, likeLevel: 0, isWatched: false })
    }
  }
  // Writes of one account on one item are sequential, all others are concurrent.
  const lines = new Map<string, Promise<void>>()
  for (let number = 0; number < WRITES; number += 1) {
    const profileId = accounts[number % 2 === 0 ? 0 : 1]
    const itemId = items[(number * 7) % items.length] ?? ''
    const { say, effect } = wordOf(Math.floor(number / 2) + (number % 2) * 17)
    const line = `${profileId} ${itemId}`
    lines.set(
      line,
      (lines.get(line) ?? Promise.resolve()).then(() => say(services, { profileId: profileId, itemId })),
    )
    Object.assign(model.get(line) as UserData, effect)
  }
  await Promise.all(lines.values())
  for (const profileId of accounts) {
    for (const itemId of items) {
      t.strictSame(await readUserData(services, { profileId: profileId, itemId }), model.get(`${profileId} ${itemId}`))
    }
    const { favourites } = await listFavourites(services, { profileId: profileId })
    const wanted = items.filter((itemId) => model.get(`${profileId} ${itemId}`)?.isFavourite)
    t.strictSame(favourites.map(({ item }) => item.id).toSorted(), wanted.toSorted())
  }
})
