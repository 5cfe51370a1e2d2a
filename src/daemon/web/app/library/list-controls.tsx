import type { FilterValues } from '../api-types.d.ts'
import { useReply } from '../data/use-reply.ts'
import { texts } from '../messages/language.ts'
import { SORTS, type ListPlace } from '../places/place.ts'
import { goTo } from '../places/router.ts'

/** Order and genre of a list. A change replaces the page in the history. */
export function ListControls({ place }: { place: ListPlace }) {
  const query = place.library === '' ? '' : `?${new URLSearchParams({ libraryId: place.library })}`
  const { data } = useReply<FilterValues>(`/api/v1/media/facets${query}`)
  const genres = data?.genres ?? []
  const change = (changes: Partial<ListPlace>): void => goTo({ ...place, ...changes }, { replaces: true })
  const direction = place.isDescending ? texts.descending : texts.ascending
  return (
    <div class="controls">
      {place.words === '' && (
        <>
          <label>
            {texts.sortBy}{' '}
            <select
              id="sort"
              value={place.sort}
              onChange={({ currentTarget: { value } }) =>
                change({ sort: SORTS.find((sort) => sort === value) ?? 'name' })
              }
            >
              {SORTS.map((sort) => (
                <option key={sort} value={sort}>
                  {texts.sorts[sort]}
                </option>
              ))}
            </select>
          </label>
          <button class="quiet" id="order" type="button" onClick={() => change({ isDescending: !place.isDescending })}>
            {direction}
          </button>
        </>
      )}
      {genres.length > 0 && (
        <label>
          {texts.genre}{' '}
          <select id="genre" value={place.genre} onChange={({ currentTarget: { value } }) => change({ genre: value })}>
            <option value="">{texts.allGenres}</option>
            {genres.map((genre) => (
              <option key={genre} value={genre}>
                {genre}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}
