import { requestJson } from '../api.js'
import { createConfirmedButton, createListEntry, formatTime } from '../account/list-parts.js'

const SHARES = '/api/v1/me/shares'

/**
 * The share links of the user.
 * @param {{list: HTMLElement, empty: HTMLElement}} parts
 * @param {{guarded: (work: () => Promise<void>) => Promise<void>}} needs
 */
export function createShareList({ list, empty }, { guarded }) {
  async function load() {
    const { shares } = await requestJson(SHARES)
    empty.hidden = shares.length > 0
    list.replaceChildren(...shares.map(entryOf))
  }

  function entryOf(share) {
    const title = share.title ?? 'Something that is not there any more'
    const end = `${new Date(share.expires_at) < new Date() ? 'expired' : 'expires'} ${formatTime(share.expires_at)}`
    const names = { label: 'Revoke', description: `Revoke the link to ${title}`, question: 'Really revoke' }
    const revoke = createConfirmedButton(names, () => {
      void guarded(async () => {
        await requestJson(`${SHARES}/${share.id}`, undefined, { method: 'DELETE' })
        await load()
      })
    })
    const facts = [usesOf(share), end, share.has_password ? 'password' : '', share.allow_download ? 'may be saved' : '']
    return createListEntry(title, facts.filter(Boolean).join(' · '), revoke)
  }

  return {
    load,
    clear() {
      list.replaceChildren()
    },
  }
}

function usesOf({ uses, max_uses: limit }) {
  if (limit !== null) return `opened ${uses} of ${limit} ${limit === 1 ? 'time' : 'times'}`
  return uses === 0 ? 'never opened' : uses === 1 ? 'opened once' : `opened ${uses} times`
}
