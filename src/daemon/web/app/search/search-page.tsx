import type { SearchResults } from '../api-types.d.ts'
import { CardRow } from '../cards/card-row.tsx'
import { useReply } from '../data/use-reply.ts'
import { texts } from '../messages/language.ts'
import { listOf } from '../places/place.ts'
import { PlaceLink } from '../places/place-link.tsx'
import { useSpot } from '../places/use-spot.ts'
import { PageFrame } from '../frame/page-frame.tsx'
import { itemGroups, namedGroups, type NamedGroup } from './search-groups.ts'

const LIMIT = 12

type Props = { words: string; entry: number; version: number }

/** The best results of each kind. */
export function SearchPage({ words, entry, version }: Props) {
  const query = new URLSearchParams({ q: words, limit: String(LIMIT) })
  const reply = useReply<SearchResults>(`/api/v1/search?${query}`, version)
  const { data } = reply
  const groups = data === undefined ? [] : itemGroups(data)
  const names = data === undefined ? [] : namedGroups(data, texts)
  useSpot(entry, data !== undefined)
  const isEmpty = groups.length + names.length === 0
  return (
    <PageFrame title={texts.searchFor(words)} reply={reply} empty={isEmpty ? texts.nothingCalled(words) : ''}>
      {groups.map(({ key, items, kind }) => (
        <CardRow
          key={key}
          title={texts.kinds[key]}
          items={items}
          more={
            kind !== undefined && (
              <PlaceLink to={listOf('', { words, kind })} class="quiet-link">
                {texts.showAll(texts.kinds[kind])}
              </PlaceLink>
            )
          }
        />
      ))}
      {names.map((group) => (
        <NameList key={group.key} group={group} />
      ))}
    </PageFrame>
  )
}

function NameList({ group: { key, names } }: { group: NamedGroup }) {
  return (
    <section class="card-row" aria-label={texts.kinds[key]}>
      <h3>{texts.kinds[key]}</h3>
      <ul class="names">
        {names.map(({ name, facts, to }) => (
          <li key={`${name} ${facts}`}>
            <PlaceLink to={to} class="name">
              <span dir="auto">{name}</span> <span class="facts">{facts}</span>
            </PlaceLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
