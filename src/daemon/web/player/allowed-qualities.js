/**
 * What the viewer may be offered within the limit of bandwidth: the server refuses everything above it, except for the lowest quality.
 * @typedef {{quality_ladder: {bitrate: number}[] | null, max_kbps: number | null, file_kbps: number}} Facts the playback information of an item
 */

/** Whether the file itself is within the limit. @param {Facts} facts */
export const isFileAllowed = ({ max_kbps: maxKbps, file_kbps: fileKbps }) => maxKbps === null || fileKbps <= maxKbps

/** The qualities within the limit, and at least the lowest one. @param {Facts} facts */
export function allowedRungs({ quality_ladder: ladder, max_kbps: maxKbps }) {
  const rungs = ladder ?? []
  if (maxKbps === null) return rungs
  const limit = Math.max(maxKbps * 1000, Math.min(...rungs.map(({ bitrate }) => bitrate)))
  return rungs.filter(({ bitrate }) => bitrate <= limit)
}
