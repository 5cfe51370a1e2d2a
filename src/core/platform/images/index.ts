export { imageErrors } from './errors.ts'
export { copyPixels, type Pixels } from './pixels.ts'
export type { PictureShape, PictureSize } from './draw-picture.ts'
export {
  createImages,
  isPermanentPictureError,
  type Images,
  type PictureInput,
  type PictureSource,
  type RenderedPicture,
} from './images.ts'
