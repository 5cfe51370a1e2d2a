export type { PacketFacts } from './packets.ts'
export { mediaToolErrors } from './errors.ts'
export { createMediaTools, type MediaTools } from './media-tools.ts'
export { piecePath, type Segmenter, type SegmenterEnd } from './segmenter.ts'
