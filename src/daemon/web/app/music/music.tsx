import { render } from 'preact'
import { musicPage } from '../cards/music-control.ts'
import type { MusicPlace } from '../places/place.ts'
import { AlbumPage } from './album-page.tsx'
import { ArtistPage } from './artist-page.tsx'
import { MiniPlayer } from './mini-player.tsx'
import { MusicListPage } from './music-list-page.tsx'
import { audioElements } from './music-player.ts'

const { frame } = musicPage()
frame.after(...audioElements)
render(<MiniPlayer />, frame)

export type MusicProps = { place: MusicPlace; entry: number; version: number }

/** The pages of music. They and the player are loaded when one of them is opened. */
export function MusicPages({ place, entry, version }: MusicProps) {
  switch (place.page) {
    case 'album':
      return (
        <AlbumPage
          key={`${place.title}\n${place.artist}`}
          title={place.title}
          artist={place.artist}
          entry={entry}
          version={version}
        />
      )
    case 'artist':
      return <ArtistPage key={place.name} name={place.name} entry={entry} version={version} />
    case 'albums':
    case 'artists':
      return <MusicListPage key={place.page} list={place.page} entry={entry} version={version} />
  }
}
