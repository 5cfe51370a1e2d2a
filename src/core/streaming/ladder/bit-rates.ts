/** Bit rate of every re-encoded audio track: two channels of AAC. */
export const AUDIO_BITRATE = 160_000
/** Output rate of ffmpeg's AAC encoder relative to its target, packet headers included: the worst segment, and the average. */
const AUDIO_PEAK_FACTOR = 1.125
const AUDIO_AVERAGE_FACTOR = 1.02

/** Peak rate of the video encoder relative to its target. */
const MAX_RATE_FACTOR = 1.07
/** Size of the rate control buffer, in seconds at the peak rate. */
const BUFFER_SECONDS = 1
/** A segment of six seconds may spend the whole buffer once. */
const SEGMENT_PEAK_FACTOR = MAX_RATE_FACTOR * (1 + BUFFER_SECONDS / 6)
/** Peak relative to average for a copy whose packet sizes are unknown. */
const ASSUMED_COPY_FACTOR = 1.18

/** Overhead of the transport stream: four of 188 bytes are the packet header. */
const PACKET_FACTOR = 188 / 184
/** Program tables ten times per second, and the service description twice. */
const TABLE_BITRATE = (10 + 10 + 2) * 188 * 8
/** Bit rate of the packets that keep the continuity counters consistent: up to fifteen for each of five identifiers. */
const COUNTER_BITRATE = { peak: 25_000, average: 9_400 } as const
/** Overhead of one frame or one group of audio packets: its header, and the padding of its last packet. */
const UNIT_BITS = 120 * 8
const SOUND_UNITS_PER_SECOND = 8

/** Encoder targets of what is played together, in bits per second. 0 means no video or no audio. */
export type EncoderBitRates = Readonly<{ video: number; audio: number; framesPerSecond: number }>

/** Peak and average bit rate of segments (RFC 8216, 4.3.4.2: BANDWIDTH, AVERAGE-BANDWIDTH), in bits per second. */
export type Bandwidth = Readonly<{ peak: number; average: number }>

/** Returns the encoder's peak rate for a target in bits per second, and its rate control buffer in bits. */
export function encoderRateLimits(videoBitrate: number): { maxRate: number; buffer: number } {
  const maxRate = Math.round(videoBitrate * MAX_RATE_FACTOR)
  return { maxRate, buffer: maxRate * BUFFER_SECONDS }
}

/** Returns the bandwidth of encoded segments. The average assumes that video and audio reach their targets. */
export function encodedBandwidth({ video, audio, framesPerSecond }: EncoderBitRates): Bandwidth {
  return {
    peak: streamed(video * SEGMENT_PEAK_FACTOR + audio * AUDIO_PEAK_FACTOR, { audio, framesPerSecond }, 'peak'),
    average: streamed(video + audio * AUDIO_AVERAGE_FACTOR, { audio, framesPerSecond }, 'average'),
  }
}

/** Returns the bandwidth of segments with copied video whose packet sizes are unknown, estimated from the source's average. */
export function assumedCopyBandwidth({ video, audio, framesPerSecond }: EncoderBitRates): Bandwidth {
  return {
    peak: streamed(video * ASSUMED_COPY_FACTOR + audio * AUDIO_PEAK_FACTOR, { audio, framesPerSecond }, 'peak'),
    average: streamed(video + audio, { audio, framesPerSecond }, 'average'),
  }
}

/** Returns the bandwidth of the segments of an audio-only rendition, which is always encoded. */
export function audioBandwidth(): Bandwidth {
  return encodedBandwidth({ video: 0, audio: AUDIO_BITRATE, framesPerSecond: 0 })
}

/** Returns the bandwidth of two renditions that are fetched together. Their peaks may coincide. */
export function sumBandwidths(one: Bandwidth, other: Bandwidth): Bandwidth {
  return { peak: one.peak + other.peak, average: one.average + other.average }
}

/**
 * Returns the bandwidth of segments with copied video.
 * @param copied rates of the copied packets, without the overhead of the transport stream
 * @param encodedAudio bits per second of audio that is encoded; 0 if the audio is copied too or absent
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

/** Returns the largest video bit rate whose peak, audio included, does not exceed `bandwidth`. */
export function maxVideoBitrate(bandwidth: number, { audio, framesPerSecond }: Omit<EncoderBitRates, 'video'>): number {
  const room = (bandwidth - overhead({ audio, framesPerSecond }, 'peak')) / PACKET_FACTOR
  return (room - audio * AUDIO_PEAK_FACTOR) / SEGMENT_PEAK_FACTOR
}

function streamed(bitrate: number, units: Omit<EncoderBitRates, 'video'>, kind: keyof Bandwidth): number {
  return Math.floor(bitrate * PACKET_FACTOR + overhead(units, kind))
}

function overhead({ audio, framesPerSecond }: Omit<EncoderBitRates, 'video'>, kind: keyof Bandwidth): number {
  const units = framesPerSecond + (audio > 0 ? SOUND_UNITS_PER_SECOND : 0)
  return TABLE_BITRATE + COUNTER_BITRATE[kind] + units * UNIT_BITS
}
