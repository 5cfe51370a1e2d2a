export { mediaToolErrors } from './errors.ts'
export { inputArguments, outputPath } from './file-arguments.ts'
export { type FileFault } from './file-fault.ts'
export {
  createMediaTools,
  type EncodeArguments,
  type EncodeOptions,
  type EncodeResult,
  type MediaTools,
} from './media-tools.ts'
export { type ToolName } from './tool-presence.ts'
export { type ToolVersion } from './tool-version.ts'
