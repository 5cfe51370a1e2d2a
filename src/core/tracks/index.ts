export { listAudioTracks, type AudioTrack } from './audio-tracks.ts'
export { listChapters, type NamedChapter } from './chapters.ts'
export { uniqueLabel } from './unique-label.ts'
export { languageName, languageTag } from './language.ts'
