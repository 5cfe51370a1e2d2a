import { HomePage } from '../home/home-page.tsx'
import { ItemPage } from '../item/item-page.tsx'
import { ListPage } from '../library/list-page.tsx'
import { current } from '../places/router.ts'
import { SearchPage } from '../search/search-page.tsx'
import { isMusic } from '../places/place.ts'
import { LaterPage } from './later-page.tsx'
import { LibraryLinks } from './library-links.tsx'

const loadPhotos = async () => (await import('../photos/photos-page.tsx')).PhotosPage
const loadMusic = async () => (await import('../music/music.tsx')).MusicPages

/** @param props.version grows when everything on the page may have changed */
export function App({ version }: { version: number }) {
  const { place, entry } = current.value
  return (
    <>
      <LibraryLinks place={place} version={version} />
      {place.page === 'home' && <HomePage entry={entry} version={version} />}
      {place.page === 'item' && <ItemPage key={place.id} id={place.id} entry={entry} version={version} />}
      {place.page === 'list' && <ListPage place={place} entry={entry} version={version} />}
      {place.page === 'photos' && (
        <LaterPage key={place.library} load={loadPhotos} properties={{ library: place.library, entry, version }} />
      )}
      {isMusic(place) && <LaterPage load={loadMusic} properties={{ place, entry, version }} />}
      {place.page === 'search' && <SearchPage words={place.words} entry={entry} version={version} />}
    </>
  )
}
