import type { Test } from 'tap'
import { EVERYTHING, type AccessRule } from '../../../src/core/access/index.ts'
import { createAccount } from '../../../src/core/accounts/index.ts'
import { createProfile } from '../../../src/core/profiles/index.ts'
import { KINDS, plant, plantHistory, plantSession, type Kind, type Planted } from '../access-canaries.ts'
import { startApp, type TestApp } from '../app.ts'
import { unlimitedServices } from './unlimited-services.ts'

/** In a library that the account with some libraries may not see. */
export const LIBRARY_WORD = 'zqlibrary'
/** In the name and the paths of that library, which an account that is limited by age or tags only may see. */
export const SHELF_WORD = 'zqshelf'
/** Rated 18, in a library that everybody with some libraries may see. */
export const AGE_WORD = 'zqadult'
export const OPEN_WORD = 'zqopen'

export type Viewer = {
  name: string
  token: string
  id: string
  /** The same as `id` for the main profile. */
  profileId: string
  forbidden: readonly string[]
  hiddenBy: 'library' | 'age'
}

export type World = TestApp & {
  viewers: readonly Viewer[]
  open: Record<Kind, Planted>
  ids: { [Of in keyof Planted]: (hidden: 'library' | 'age', kind: Kind) => string }
}

export const KIND_NAMES = Object.keys(KINDS) as Kind[]

/** Accounts and profiles with different limits, and open items of every kind. `hide` adds what is hidden from them. */
export async function makeWorld(t: Test): Promise<Omit<World, 'ids'> & { hide: () => Promise<World['ids']> }> {
  const app = await startApp(t, { services: await unlimitedServices(t) })
  const { services, signIn } = app
  const { db } = services
  const admin = await app.registerAdmin()
  const open = {} as Record<Kind, Planted>
  for (const kind of KIND_NAMES)
    open[kind] = await plant(db, kind, { word: OPEN_WORD, rating: 'G', ownerId: admin.account.id, day: 10 })
  const libraryIds = KIND_NAMES.map((kind) => open[kind].libraryId)
  const add = async (name: string, access: AccessRule, forbidden: readonly string[]) => {
    const username = name.replaceAll(' ', '-')
    const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin: false, access }
    const account = await createAccount(services, input)
    const sessionId = await plantSession(db, account.id)
    const hiddenBy = access.libraryIds === null ? ('age' as const) : ('library' as const)
    return {
      name,
      token: await signIn(account.id),
      forbidden,
      hiddenBy,
      id: account.id,
      profileId: account.id,
      sessionId,
    }
  }
  /** A profile of an account that sees everything. */
  const addProfile = async (name: string, { isAdmin, access }: { isAdmin: boolean; access?: Partial<AccessRule> }) => {
    const username = name.replace(' ', '-')
    const input = { username, email: `${username}@example.test`, password: 'correct horse', isAdmin }
    const account = await createAccount(services, input)
    const fields = access === undefined ? { isKids: true } : { limits: access }
    const { id: profileId } = await createProfile(services, {
      accountId: account.id,
      fields: { name: 'Kid', ...fields },
    })
    const sessionId = await plantSession(db, profileId)
    const forbidden = [AGE_WORD, LIBRARY_WORD, ...(access?.libraryIds === undefined ? [] : [SHELF_WORD])]
    const hiddenBy = access?.libraryIds === undefined ? ('age' as const) : ('library' as const)
    return {
      name,
      token: await signIn(account.id, profileId),
      forbidden,
      hiddenBy,
      id: account.id,
      profileId,
      sessionId,
    }
  }
  const viewers = [
    await add('nothing', { ...EVERYTHING, libraryIds: [] }, [LIBRARY_WORD, SHELF_WORD, AGE_WORD, OPEN_WORD]),
    await add('libraries', { ...EVERYTHING, libraryIds }, [LIBRARY_WORD, SHELF_WORD]),
    await add('child', { ...EVERYTHING, maxAge: 12 }, [AGE_WORD, LIBRARY_WORD]),
    await add('both', { ...EVERYTHING, libraryIds, maxAge: 12, allowsUnrated: true }, [
      AGE_WORD,
      LIBRARY_WORD,
      SHELF_WORD,
    ]),
    await add('blocked tags', { ...EVERYTHING, blockedTags: [`${AGE_WORD} TAG`, `${LIBRARY_WORD} Tag`] }, [
      AGE_WORD,
      LIBRARY_WORD,
    ]),
    await add('allowed tag', { ...EVERYTHING, allowedTags: [[` ${OPEN_WORD}  tag`]] }, [AGE_WORD, LIBRARY_WORD]),
    await addProfile('kids profile', { isAdmin: false }),
    await addProfile('restricted administrator', { isAdmin: true, access: { libraryIds, maxAge: 12 } }),
  ]
  // Rated 18 too, so that it is hidden from all of them.
  const hide = async () => {
    const [inLibrary, byAge] = [{}, {}] as [Record<Kind, Planted>, Record<Kind, Planted>]
    for (const kind of KIND_NAMES) {
      const common = { rating: 'NC-17', ownerId: admin.account.id }
      inLibrary[kind] = await plant(db, kind, { ...common, word: LIBRARY_WORD, shelfWord: SHELF_WORD, day: 20 })
      byAge[kind] = await plant(db, kind, { ...common, word: AGE_WORD, day: 30, libraryId: open[kind].libraryId })
    }
    const itemIds = KIND_NAMES.flatMap((kind) => [inLibrary[kind].itemId, inLibrary[kind].childId, byAge[kind].itemId])
    for (const { profileId, name, sessionId } of viewers) {
      const seen =
        name === 'libraries' ? KIND_NAMES.flatMap((kind) => [inLibrary[kind].itemId, inLibrary[kind].childId]) : itemIds
      await plantHistory(db, { profileId, sessionId, itemIds: seen })
    }
    const planted = { library: inLibrary, age: byAge }
    return Object.fromEntries(
      Object.keys(inLibrary.movie).map((of) => [
        of,
        (hidden: 'library' | 'age', kind: Kind) => planted[hidden][kind][of as keyof Planted],
      ]),
    ) as World['ids']
  }
  return { ...app, viewers, open, hide }
}
