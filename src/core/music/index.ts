export type { Album, MatchableAlbum } from './album.ts'
export { musicErrors } from './errors.ts'
export type { Artist } from './artist.ts'
export { writeCovers, type CoverWrite } from './covers.ts'
export { moveTrack, removeEmptyAlbums } from './maintain-albums.ts'
export { groupCompilations } from './group-compilations.ts'
export { findAlbumsNamed, getAlbum, listAlbums } from './list-albums.ts'
export { getArtist, listArtists } from './list-artists.ts'
export { getTrack, listTracks } from './list-tracks.ts'
export {
  clearMusicFacts,
  countAlbumsToMatch,
  listAlbumsToMatch,
  resolveAlbum,
  writeAlbumResolution,
  type AlbumResolution,
} from './match-album.ts'
export { VARIOUS_ARTISTS, type MusicTrack } from './music-track.ts'
export type { Track } from './track.ts'
export { writeTracks } from './write-tracks.ts'
export { searchAlbums, searchArtists } from './search-music.ts'
