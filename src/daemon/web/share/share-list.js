import { call } from '../api.js'
import { button, entry, readableTime } from '../account/list-parts.js'

const SHARES = '/api/v1/me/shares'

/**
 * The share links of the user.
 * @param {{list: HTMLElement, empty: HTMLElement}} parts
 * @param {{guarded: (work: () => Promise<void>) => Promise<void>}} needs
 */
export function createShareList({ list, empty }, { guarded }) {
  async function load() {
    const { shares } = await call(SHARES)
    empty.hidden = shares.length > 0
    list.replaceChildren(...shares.map(entryOf))
  }

  function entryOf(share) {
    const title = share.title ?? 'Something that is not there any more'
    const uses =
      share.max_uses === null ? `opened ${share.uses} times` : `opened ${share.uses} of ${share.max_uses} times`
    const end = `${new Date(share.expires_at) < new Date() ? 'expired' : 'expires'} ${readableTime(share.expires_at)}`
    const revoke = button('Revoke', `Revoke the link to ${title}`)
    revoke.addEventListener('click', () => {
      void guarded(async () => {
        await call(`${SHARES}/${share.id}`, undefined, { method: 'DELETE' })
        await load()
      })
    })
    return entry(title, [uses, end, share.has_password ? 'password' : ''].filter(Boolean).join(' · '), revoke)
  }

  return {
    load,
    clear() {
      list.replaceChildren()
    },
  }
}
