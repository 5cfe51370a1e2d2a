export { mediaToolErrors } from './errors.ts'
export { createMediaTools, type MediaTools } from './media-tools.ts'
