/** Of every re-encoded sound track: two channels of AAC. */
export const AUDIO_BITRATE = 160_000
/** What ffmpeg's encoder makes of it, over its target: of the hardest sound in a segment, and on average; with the heads of packets. */
const AUDIO_PEAK_FACTOR = 1.125
const AUDIO_AVERAGE_FACTOR = 1.02

/** Peaks that the encoder may reach, over its target. */
const MAX_RATE_FACTOR = 1.07
/** How much the rate control may spend at once over its peak rate. */
const BUFFER_SECONDS = 1
/** The buffer is spent once in a segment of six seconds. */
const SEGMENT_PEAK_FACTOR = MAX_RATE_FACTOR * (1 + BUFFER_SECONDS / 6)
/** Of a copy whose packets are not known. */
const ASSUMED_COPY_FACTOR = 1.18

/** Four bytes of 188 are the head of a packet of the transport stream. */
const PACKET_FACTOR = 188 / 184
/** Tables, ten times a second, and a description of the service, twice. */
const TABLE_BITRATE = (10 + 10 + 2) * 188 * 8
/** Up to fifteen packets more of each of five kinds, so that continuity counters go on. */
const COUNTER_BITRATE = { peak: 25_000, average: 9_400 } as const
/** Each frame, and each group of packets of sound, has a head and ends within a packet that is filled up. */
const UNIT_BITS = 120 * 8
const SOUND_UNITS_PER_SECOND = 8

/** Of what is played together: bits per second of its encoders' targets. No picture or no sound is 0. */
export type Rates = Readonly<{ video: number; audio: number; framesPerSecond: number }>

/** The largest and the average bit rate of segments (RFC 8216, 4.3.4.2: BANDWIDTH, AVERAGE-BANDWIDTH), in bits per second. */
export type Bandwidth = Readonly<{ peak: number; average: number }>

/** The encoder's peak rate for a target, and what it may spend at once over it: bits per second, and bits. */
export function videoLimits(videoBitrate: number): { maxRate: number; buffer: number } {
  const maxRate = Math.round(videoBitrate * MAX_RATE_FACTOR)
  return { maxRate, buffer: maxRate * BUFFER_SECONDS }
}

/** Of segments that are encoded. The average is that of a picture and a sound that need their whole targets. */
export function encodedBandwidth({ video, audio, framesPerSecond }: Rates): Bandwidth {
  return {
    peak: streamed(video * SEGMENT_PEAK_FACTOR + audio * AUDIO_PEAK_FACTOR, { audio, framesPerSecond }, 'peak'),
    average: streamed(video + audio * AUDIO_AVERAGE_FACTOR, { audio, framesPerSecond }, 'average'),
  }
}

/** Of segments with a copied picture whose packets are not known: from the average of the source. */
export function assumedCopyBandwidth({ video, audio, framesPerSecond }: Rates): Bandwidth {
  return {
    peak: streamed(video * ASSUMED_COPY_FACTOR + audio * AUDIO_PEAK_FACTOR, { audio, framesPerSecond }, 'peak'),
    average: streamed(video + audio, { audio, framesPerSecond }, 'average'),
  }
}

/** Of segments of a sound track without a picture, which is always encoded. */
export function soundBandwidth(): Bandwidth {
  return encodedBandwidth({ video: 0, audio: AUDIO_BITRATE, framesPerSecond: 0 })
}

/** Of what is fetched at the same time: the peaks may coincide. */
export function sumOfBandwidths(one: Bandwidth, other: Bandwidth): Bandwidth {
  return { peak: one.peak + other.peak, average: one.average + other.average }
}

/**
 * Of segments with a copied picture.
 * @param copied what is copied of the source, without what the transport stream adds
 * @param encodedAudio bits per second of sound that is encoded beside it; 0 where the sound is copied too, or there is none
 */
export function copyBandwidth(
  copied: Bandwidth,
  { encodedAudio, framesPerSecond }: { encodedAudio: number; framesPerSecond: number },
): Bandwidth {
  const units = { audio: 1, framesPerSecond }
  return {
    peak: streamed(copied.peak + encodedAudio * AUDIO_PEAK_FACTOR, units, 'peak'),
    average: streamed(copied.average + encodedAudio * AUDIO_AVERAGE_FACTOR, units, 'average'),
  }
}

/** The largest video bit rate whose peak, sound included, is not above `bandwidth`. */
export function videoBitrateWithin(bandwidth: number, { audio, framesPerSecond }: Omit<Rates, 'video'>): number {
  const room = (bandwidth - overhead({ audio, framesPerSecond }, 'peak')) / PACKET_FACTOR
  return (room - audio * AUDIO_PEAK_FACTOR) / SEGMENT_PEAK_FACTOR
}

function streamed(bitrate: number, units: Omit<Rates, 'video'>, kind: keyof Bandwidth): number {
  return Math.floor(bitrate * PACKET_FACTOR + overhead(units, kind))
}

function overhead({ audio, framesPerSecond }: Omit<Rates, 'video'>, kind: keyof Bandwidth): number {
  const units = framesPerSecond + (audio > 0 ? SOUND_UNITS_PER_SECOND : 0)
  return TABLE_BITRATE + COUNTER_BITRATE[kind] + units * UNIT_BITS
}
