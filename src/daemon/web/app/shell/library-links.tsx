import type { Libraries } from '../api-types.d.ts'
import { useReply } from '../data/use-reply.ts'
import { texts } from '../messages/language.ts'
import { HOME, isMusic, listOf, type Place } from '../places/place.ts'
import { PlaceLink } from '../places/place-link.tsx'

/** Links to the start page, all titles, music, photos and each library. */
export function LibraryLinks({ place, version }: { place: Place; version: number }) {
  const { data } = useReply<Libraries>('/api/v1/libraries', version)
  const libraries = data?.libraries ?? []
  const isShown = (id: string): boolean => place.page === 'list' && place.library === id && place.words === ''
  return (
    <nav class="library-links" id="libraries" aria-label={texts.libraries}>
      <PlaceLink to={HOME} current={place.page === 'home'}>
        {texts.home}
      </PlaceLink>
      <PlaceLink to={listOf('')} current={isShown('')}>
        {texts.allTitles}
      </PlaceLink>
      {libraries.some(({ type }) => type === 'music') && (
        <PlaceLink to={{ page: 'albums' }} current={isMusic(place)}>
          {texts.music}
        </PlaceLink>
      )}
      {libraries.some(({ type }) => type === 'photo') && (
        <PlaceLink to={{ page: 'photos', library: '' }} current={place.page === 'photos'}>
          {texts.kinds.photos}
        </PlaceLink>
      )}
      {libraries.map(({ id, name }) => (
        <PlaceLink key={id} to={listOf(id)} current={isShown(id)}>
          {name}
        </PlaceLink>
      ))}
    </nav>
  )
}
