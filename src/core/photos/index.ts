export { movePhoto } from './move-photo.ts'
export { writePhotos, type PhotoWrite } from './write-photos.ts'
