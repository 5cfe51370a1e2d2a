export { writeCovers, type CoverWrite } from './covers.ts'
export { moveTrack, removeEmptyAlbums } from './keep-albums.ts'
export { VARIOUS_ARTISTS, type MusicTrack } from './music-track.ts'
export { writeTracks } from './write-tracks.ts'
