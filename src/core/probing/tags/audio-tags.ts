import type { ProbedChapter } from '../probed-file.ts'

/**
 * The tags and headers of an audio file. Texts are safe to store (`cleanLine`, `cleanParagraphs`) and numbers are within their bounds;
 * missing and invalid values are null. Lyrics are never stored.
 */
export type AudioTags = AudioNames &
  AudioNumbers & {
    musicBrainz: MusicBrainzIds
    replayGain: ReplayGain
    sound: SoundFormat
    /** The chapters ordered by time; a title is null if the file omits it. */
    chapters: ProbedChapter[]
    audiobook: AudiobookTags
    pictures: EmbeddedPicture[]
  }

export type AudioNames = {
  title: string | null
  artist: string | null
  albumArtist: string | null
  album: string | null
  /** Individual artists, if the tags separate them. */
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
  /** Year of this release. */
  year: number | null
  originalYear: number | null
  /** Date as the tag states it, `2004-05-06` or shorter; not validated. */
  date: string | null
  /** 0: a hidden track before the first. */
  trackNumber: number | null
  trackCount: number | null
  discNumber: number | null
  discCount: number | null
  isCompilation: boolean
  /** The file is marked as not suitable for children. */
  isExplicit: boolean
}

/** UUIDs in lower case; other values of these tags are dropped. */
export type MusicBrainzIds = {
  recording: string | null
  releaseTrack: string | null
  release: string | null
  releaseGroup: string | null
  artists: string[]
  albumArtists: string[]
}

/** Gains in decibels relative to -18 LUFS, peaks as a fraction of full scale. */
export type ReplayGain = {
  trackGain: number | null
  trackPeak: number | null
  albumGain: number | null
  albumPeak: number | null
}

export type SoundFormat = {
  durationSeconds: number
  /** Container formats in the notation of music-metadata: `MPEG`, `FLAC`, `M4A/mp42/isom`, … */
  container: string | null
  codec: string | null
  isLossless: boolean
  /** Bits per second. */
  bitrate: number | null
  sampleRateHz: number | null
  channels: number | null
  bitDepth: number | null
}

/** Audiobook tags. If there are no narrators, the composer is used, as in Audiobookshelf. */
export type AudiobookTags = {
  /** True if the file declares it (MP4 media type 2). */
  isAudiobook: boolean
  series: string | null
  /** Number in the series, as the tag states it: `3`, `0.5`, `2-3`. */
  seriesPart: string | null
  narrators: string[]
  asin: string | null
}

/** An embedded picture. Its bytes are present only on request. */
export type EmbeddedPicture = {
  /** Detected from the first bytes, not from the tag. */
  mime: string
  sizeBytes: number
  sha256: string
  isFrontCover: boolean
  bytes?: Uint8Array
}

/** Why a file has no tags. ffprobe may still read a file with `no_duration` or `too_large`. */
export type UnreadableCode = 'empty' | 'unknown_format' | 'damaged' | 'too_large' | 'no_sound' | 'no_duration'

export type AudioTagsOutcome =
  | { kind: 'read'; tags: AudioTags }
  | { kind: 'unreadable'; code: UnreadableCode; reason: string }
