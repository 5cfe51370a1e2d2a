/** A step of the quality ladder: a 16:9 frame and the video bit rate that suits it. */
export type Rung = Readonly<{ id: string; width: number; height: number; videoKbps: number }>

/** All rungs, highest first. */
export const RUNGS: readonly Rung[] = [
  { id: '2160p', width: 3840, height: 2160, videoKbps: 16_000 },
  { id: '1440p', width: 2560, height: 1440, videoKbps: 9000 },
  { id: '1080p', width: 1920, height: 1080, videoKbps: 5000 },
  { id: '720p', width: 1280, height: 720, videoKbps: 2800 },
  { id: '480p', width: 854, height: 480, videoKbps: 1400 },
  { id: '360p', width: 640, height: 360, videoKbps: 800 },
  { id: '240p', width: 426, height: 240, videoKbps: 400 },
]
