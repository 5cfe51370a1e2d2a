/** Of every re-encoded sound track: two channels of AAC. */
export const AUDIO_BITRATE = 160_000

/** Peaks that the encoder may reach, over its target. */
const MAX_RATE_FACTOR = 1.07
/** A segment may exceed the peak rate while the rate control's buffer fills anew. */
const SEGMENT_PEAK_FACTOR = 1.1
/** Headers of the transport stream. */
const CONTAINER_FACTOR = 1.04

/** What a rendition is made of, in bits per second; no sound is 0. */
type Rates = { video: number; audio: number }

/** The encoder's peak rate for a target, both in bits per second. */
export function maxVideoBitrate(videoBitrate: number): number {
  return Math.round(videoBitrate * MAX_RATE_FACTOR)
}

/**
 * BANDWIDTH: the largest bit rate that a segment may reach (RFC 8216, 4.3.4.2). Of a copied picture the same room is
 * taken over its average.
 */
export function peakBandwidth({ video, audio }: Rates): number {
  return Math.floor((video * MAX_RATE_FACTOR * SEGMENT_PEAK_FACTOR + audio) * CONTAINER_FACTOR)
}

/** The largest video bit rate whose peak bandwidth, sound included, is not above `bandwidth`. */
export function videoBitrateWithin(bandwidth: number, audio: number): number {
  return (bandwidth / CONTAINER_FACTOR - audio) / (MAX_RATE_FACTOR * SEGMENT_PEAK_FACTOR)
}
