import type { Chapter } from '../probed-file.ts'

/**
 * What the tags and headers of an audio file say. Every text can be stored as it is (`lineOf`, `paragraphsOf`), every number is
 * within its bounds; what is missing or senseless is null. Lyrics are never kept.
 */
export type AudioTags = AudioNames &
  AudioNumbers & {
    musicBrainz: MusicBrainzIds
    replayGain: ReplayGain
    sound: SoundFormat
    /** In their order; null titles are those the file leaves out. */
    chapters: Chapter[]
    audiobook: AudiobookTags
    pictures: EmbeddedPicture[]
  }

export type AudioNames = {
  title: string | null
  artist: string | null
  albumArtist: string | null
  album: string | null
  /** Each artist by itself, where the tags tell them apart. */
  artists: string[]
  composers: string[]
  genres: string[]
  titleSort: string | null
  artistSort: string | null
  albumSort: string | null
  albumArtistSort: string | null
  subtitle: string | null
  publisher: string | null
  language: string | null
  comment: string | null
  description: string | null
}

export type AudioNumbers = {
  /** Of this release. */
  year: number | null
  originalYear: number | null
  /** As tagged, `2004-05-06` or less; not checked against a calendar. */
  date: string | null
  /** 0: hidden before the first. */
  trackNumber: number | null
  trackCount: number | null
  discNumber: number | null
  discCount: number | null
  isCompilation: boolean
}

/** Lower-case UUIDs; anything else in these tags is dropped. */
export type MusicBrainzIds = {
  recording: string | null
  releaseTrack: string | null
  release: string | null
  releaseGroup: string | null
  artists: string[]
  albumArtists: string[]
}

/** Gains in decibels against -18 LUFS, peaks as a share of full scale. */
export type ReplayGain = {
  trackGain: number | null
  trackPeak: number | null
  albumGain: number | null
  albumPeak: number | null
}

export type SoundFormat = {
  durationSeconds: number
  /** As music-metadata names them: `MPEG`, `FLAC`, `M4A/mp42/isom`, … */
  container: string | null
  codec: string | null
  isLossless: boolean
  /** Bits per second. */
  bitrate: number | null
  sampleRateHz: number | null
  channels: number | null
  bitDepth: number | null
}

/** What audiobooks keep in tags of their own. Readers fall back on the composer, as Audiobookshelf does. */
export type AudiobookTags = {
  /** True where the file says so itself (MP4 media type 2). */
  isAudiobook: boolean
  series: string | null
  /** As tagged: `3`, `0.5`, `2-3`. */
  seriesPart: string | null
  narrators: string[]
  asin: string | null
}

/** A picture inside the file. Its bytes are there only when they were asked for. */
export type EmbeddedPicture = {
  /** By its own first bytes, not by what the tag claims. */
  mime: string
  sizeBytes: number
  sha256: string
  isFrontCover: boolean
  bytes?: Uint8Array
}

/** Why a file has no tags to give; `no_duration` and `too_large` are worth a look by ffprobe. */
export type UnreadableCode = 'empty' | 'unknown_format' | 'damaged' | 'too_large' | 'no_sound' | 'no_duration'

export type AudioTagsOutcome =
  | { kind: 'read'; tags: AudioTags }
  | { kind: 'unreadable'; code: UnreadableCode; reason: string }
