import type { IAudioMetadata, ICommonTagsResult } from 'music-metadata'
import {
  parseCount,
  cleanLine,
  cleanLines,
  parseNumberInRange,
  cleanParagraphs,
  parseYear,
} from '../untrusted-values.ts'
import type { AudioNames, AudioNumbers, MusicBrainzIds, ReplayGain, SoundFormat } from './audio-tags.ts'
import type { NativeTags } from './native-tags.ts'

const MAX_TRACK = 32_767
const MAX_DISC = 32_767

/** Track number fields of ID3, Vorbis, ASF, MP4 and APE. They are read directly, because the parser treats 0 as absent. */
const TRACK = ['trck', 'trk', 'tracknumber', 'trkn', 'track']
const DATE_CHARACTERS = 32
const GENRE_CHARACTERS = 200
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Returns the text tags that all formats share. */
export function readAudioNames(common: ICommonTagsResult): AudioNames {
  return {
    title: cleanLine(common.title),
    artist: cleanLine(common.artist),
    albumArtist: cleanLine(common.albumartist),
    album: cleanLine(common.album),
    artists: cleanLines(partsOf(common.artists)),
    composers: cleanLines(common.composer),
    genres: cleanLines(partsOf(common.genre), GENRE_CHARACTERS),
    titleSort: cleanLine(common.titlesort),
    artistSort: cleanLine(common.artistsort),
    albumSort: cleanLine(common.albumsort),
    albumArtistSort: cleanLine(common.albumartistsort),
    subtitle: cleanLines(common.subtitle)[0] ?? null,
    publisher: cleanLines(common.label)[0] ?? null,
    language: cleanLine(common.language, 100),
    comment: firstOf(common.comment?.map(({ text }) => cleanParagraphs(text))),
    description: firstOf([common.longDescription, ...(common.description ?? [])].map((text) => cleanParagraphs(text))),
  }
}

/**
 * Returns dates and positions. A count below its position is invalid and dropped. Some programs use names that the parser does not know.
 */
export function readAudioNumbers(common: ICommonTagsResult, native: NativeTags): AudioNumbers {
  const date = cleanLine(common.date ?? native.get('date')?.[0], DATE_CHARACTERS)
  const trackCount = positive(parseCount(common.track.of, MAX_TRACK))
  const trackNumber = trackNumberOf(common.track.no ?? firstOf(TRACK.map((name) => native.get(name)?.[0])), trackCount)
  const discNumber = positive(parseCount(common.disk.no ?? native.get('disc')?.[0], MAX_DISC))
  return {
    year: parseYear(common.year) ?? parseYear(date),
    originalYear: parseYear(common.originalyear) ?? parseYear(common.originaldate),
    date,
    trackNumber,
    trackCount: notBelow(trackCount, trackNumber),
    discNumber,
    discCount: notBelow(positive(parseCount(common.disk.of, MAX_DISC)), discNumber),
    isCompilation:
      common.compilation === true ||
      ['compilation', 'tcmp', 'itunescompilation'].some((name) => cleanLine(native.get(name)?.[0]) === '1'),
    // 2 stands for a version that was made suitable; 4 is the older word of 1.
    isExplicit: ['itunesadvisory', 'rtng'].some((name) => isMarked(native.get(name)?.[0])),
  }
}

function isMarked(value: unknown): boolean {
  return value === 1 || value === 4 || value === '1' || value === '4'
}

/** Returns the track number. Some CDs have a hidden track before the first, tagged as `0/12`. Without a count, 0 means unknown. */
function trackNumberOf(value: unknown, trackCount: number | null): number | null {
  const number = parseCount(value, MAX_TRACK)
  return trackCount === null ? positive(number) : number
}

/** Returns MusicBrainz identifiers, whose tag names differ between formats. */
export function readMusicBrainzIds(common: ICommonTagsResult): MusicBrainzIds {
  return {
    recording: idsOf(common.musicbrainz_recordingid)[0] ?? null,
    releaseTrack: idsOf(common.musicbrainz_trackid)[0] ?? null,
    release: idsOf(common.musicbrainz_albumid)[0] ?? null,
    releaseGroup: idsOf(common.musicbrainz_releasegroupid)[0] ?? null,
    artists: idsOf(common.musicbrainz_artistid),
    albumArtists: idsOf(common.musicbrainz_albumartistid),
  }
}

/** Returns ReplayGain as tagged. Opus stores its own gain relative to -23 LUFS in 256ths of a decibel (RFC 7845, 5.2.1). */
export function readReplayGain(common: ICommonTagsResult, native: NativeTags): ReplayGain {
  return {
    trackGain: gainOf(common.replaygain_track_gain?.dB) ?? opusGainOf(native.get('r128_track_gain')?.[0]),
    trackPeak: parseNumberInRange(common.replaygain_track_peak?.ratio, 0, 100),
    albumGain: gainOf(common.replaygain_album_gain?.dB) ?? opusGainOf(native.get('r128_album_gain')?.[0]),
    albumPeak: parseNumberInRange(common.replaygain_album_peak?.ratio, 0, 100),
  }
}

/** Returns the properties of the audio from the headers; an undeclared bit rate is derived from the size. */
export function readSoundFormat({ format }: IAudioMetadata, durationSeconds: number, sizeBytes: number): SoundFormat {
  const declared = parseNumberInRange(format.bitrate, 1, 1e9)
  return {
    durationSeconds,
    container: cleanLine(format.container, 100),
    codec: cleanLine(format.codec, 100),
    isLossless: format.lossless === true,
    bitrate: Math.round(declared ?? Math.min(1e9, (sizeBytes * 8) / durationSeconds)),
    sampleRateHz: positive(parseCount(format.sampleRate, 10_000_000)),
    channels: positive(parseCount(format.numberOfChannels, 255)),
    bitDepth: positive(parseCount(format.bitsPerSample, 64)),
  }
}

function idsOf(values: unknown): string[] {
  // Some taggers write several identifiers into one field.
  const parts = cleanLines(values).flatMap((line) => line.toLowerCase().split(/[\s;,/]+/))
  return [...new Set(parts.filter((part) => UUID.test(part)))]
}

function gainOf(decibels: unknown): number | null {
  return parseNumberInRange(decibels, -100, 100)
}

function opusGainOf(value: unknown): number | null {
  const steps = parseNumberInRange(value, -32_768, 32_767)
  return steps === null ? null : gainOf(steps / 256 + 5)
}

function positive(count: number | null): number | null {
  return count === null || count > 0 ? count : null
}

function notBelow(count: number | null, position: number | null): number | null {
  return count !== null && position !== null && count < position ? null : count
}

function firstOf<T>(values: readonly (T | null | undefined)[] | undefined): T | null {
  return values?.find((value) => value !== null && value !== undefined) ?? null
}

/**
 * Splits values at semicolons, which taggers without lists use (`Electronic; Ambient`). Other separators are ambiguous (`AC/DC`, `Earth,
 * Wind & Fire`).
 */
function partsOf(values: readonly string[] | undefined): string[] {
  return cleanLines(values).flatMap((line) => line.split(';'))
}
