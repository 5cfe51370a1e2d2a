export { createEmbeddedTexts, type EmbeddedTexts } from './embedded-texts.ts'
export { listSubtitleTracks } from './list-tracks.ts'
export { readSubtitleTrack } from './read-track.ts'
export { parseTrackIndex, subtitleResource, type SubtitleTrack } from './subtitle-track.ts'
